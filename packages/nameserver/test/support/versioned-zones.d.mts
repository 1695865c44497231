import type { ZoneContent } from '../../src/compile/zone-tree.js';

/** Indices of the words that each zone has in the memory shared with its readers. */
export const VERSIONS: { readonly BEGUN: 0; readonly DONE: 1; readonly WORDS: 2 };
export function contentOf(zone: number, zones: number, version: number, fill?: number): ZoneContent;
export function changedOwners(zone: number): Uint8Array[];
