import { isUtf8 } from 'node:buffer';
import { Refusal } from '../request/refusal.js';
import { measureJson } from './json-shape.js';

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

interface JsonBounds {
  /** Far deeper than any body of the API; keeps recursive code safe. */
  readonly maxDepth: number;
  /** How many members and items the largest body of its kind may need. */
  readonly maxValues: number;
}

/** @throws Refusal 400 with the place where the text stops being JSON, or for one that holds more than its bounds. */
export function parseJson(bytes: Buffer, { maxDepth, maxValues }: JsonBounds): unknown {
  const { depth, values } = measureJson(bytes, { depth: maxDepth, values: maxValues });
  if (depth > maxDepth) throw new Refusal('too-deep', { most: maxDepth });
  if (values > maxValues) throw new Refusal('too-many-values', { most: maxValues });
  const text = decodeUtf8(bytes);
  if (text.trim() === '') throw new Refusal('body-empty');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Refusal('not-json', { detail: (error as Error).message });
  }
}

/** @throws Refusal 400 for octets that are no UTF-8 (RFC 8259 s8.1). */
export function decodeUtf8(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new Refusal('not-utf8');
  const isMarked = bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  return bytes.toString('utf8', isMarked ? BYTE_ORDER_MARK.length : 0);
}
