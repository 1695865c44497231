import { isUtf8 } from 'node:buffer';
import { Refusal } from '../messages/refusal.js';

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

interface JsonBounds {
  /** Maximum depth: far deeper than any body of the API needs, to protect recursive code. */
  readonly maxDepth: number;
  /** Maximum number of members and items of a body. */
  readonly maxValues: number;
}

/** @throws Refusal 400 with the position of a syntax error, or for a text that exceeds the limits. */
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

/** @throws Refusal 400 for bytes that are not UTF-8 (RFC 8259 s8.1). */
export function decodeUtf8(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new Refusal('not-utf8');
  const isMarked = bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  return bytes.toString('utf8', isMarked ? BYTE_ORDER_MARK.length : 0);
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Size of the values of a JSON text, apart from its strings. */
interface JsonShape {
  readonly depth: number;
  /** Number of members, items and containers: one for each comma and each opening bracket. */
  readonly values: number;
}

const UNBOUNDED: JsonShape = { depth: Infinity, values: Infinity };

/**
 * Measures a JSON text in one pass, without parsing it or allocating memory. Two million bytes can contain a million
 * values, which take too long to parse. Text that is not JSON is measured, too. Stops above `most`.
 */
export function measureJson(text: Uint8Array, most: JsonShape = UNBOUNDED): JsonShape {
  let depth = 0;
  let deepest = 0;
  let values = 0;
  const isWithin = () => values <= most.values && deepest <= most.depth;
  for (let at = 0; at < text.length && isWithin(); at += 1) {
    switch (text[at]) {
      case QUOTE:
        at = closingQuote(text, at + 1);
        break;
      case COMMA:
        values += 1;
        break;
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        values += 1;
        depth += 1;
        deepest = Math.max(deepest, depth);
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        depth -= 1;
        break;
      default:
    }
  }
  return { depth: deepest, values };
}

function closingQuote(text: Uint8Array, start: number): number {
  let at = start;
  while (at < text.length && text[at] !== QUOTE) at += text[at] === BACKSLASH ? 2 : 1;
  return at;
}
