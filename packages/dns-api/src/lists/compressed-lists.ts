import { type Encoding, isWorthCompressing } from '../compression/compression.js';
import type { RenderedList, RenderedLists } from './rendered-lists.js';

export function compressedKey(key: string, encoding: Encoding | undefined): string {
  return `${encoding ?? ''} ${key}`;
}

/**
 * A kept list in the form that is sent. One that is kept, but that nobody has asked for compressed, is read anew: what is made of
 * it would else be kept for longer than it may.
 */
export function findCompressed(
  lists: RenderedLists,
  key: string,
  encoding: Encoding | undefined,
): RenderedList | undefined {
  const compressed = encoding && lists.find(compressedKey(key, encoding));
  if (compressed !== undefined) return compressed;
  const list = lists.find(key);
  const isShort = list !== undefined && !isWorthCompressing(list.body.length);
  return encoding === undefined || isShort ? list : undefined;
}
