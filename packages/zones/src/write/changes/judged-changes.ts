import type { RecordChange } from './record-change.js';

declare const JUDGED: unique symbol;

/** Changes that passed the checks of their source. Only these are written. */
export type JudgedChanges = readonly RecordChange[] & { readonly [JUDGED]: true };

/** A change of the zone's own members alone. */
export const NO_CHANGES = [] as unknown as JudgedChanges;
