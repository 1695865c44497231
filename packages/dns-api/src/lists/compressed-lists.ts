import { type Encoding, isWorthCompressing } from '../compression/compression.js';
import type { RenderedList, RenderedLists } from './rendered-lists.js';

export function compressedKey(key: string, encoding: Encoding | undefined): string {
  return `${encoding ?? ''} ${key}`;
}

/**
 * Returns a cached list in the encoding of the client. A cached list that was never compressed is read again: its compressed form would
 * be cached for longer than allowed.
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
