import { inQuotes, RdataSyntaxError } from '../../values/problem.js';
import { concatOctets, readUint16, uint16sToOctets } from '../../wire/octets.js';
import { endOf, type Field } from '../../fields/field.js';
import { type Word, wordOctets } from '../../fields/words.js';
import { quoteString } from '../../fields/quoted-strings.js';
import { isGenericName, keyName, keyNumber, valueOf } from './svc-keys.js';

const LABEL = 'parameters';
const MAX_VALUE_OCTETS = 0xffff;
/** Values that need no quotes. */
const PLAIN = /^[A-Za-z0-9.,:+/=_-]+$/;

/** Parameter with its value in wire form. */
export interface SvcParam {
  readonly key: number;
  readonly value: Uint8Array;
}

/**
 * Parameters of SVCB and HTTPS as `key=value`. They are read in any order, and written in the order of their keys (RFC
 * 9460 s2.1, s2.2).
 */
export const svcParams: Field = {
  label: LABEL,
  takesRest: true,
  isOptional: true,
  toWire,
  fromWire: (wire, at) => ({
    text: readSvcParams(wire, at).map(toText).join(' '),
    end: wire.length,
  }),
};

/** Reads the parameters that begin at `at`. @throws RdataSyntaxError */
export function readSvcParams(wire: Uint8Array, at: number): SvcParam[] {
  const params: SvcParam[] = [];
  let last = -1;
  for (let start = at; start < wire.length;) {
    const valueAt = endOf(LABEL, wire, start, 4);
    const end = endOf(LABEL, wire, valueAt, readUint16(wire, start + 2));
    const key = readUint16(wire, start);
    if (key <= last)
      throw fault(
        `have ${keyName(key)} after ${keyName(last)}; each key must be given once, in ascending order`,
      );
    params.push({ key, value: wire.subarray(valueAt, end) });
    last = key;
    start = end;
  }
  return params;
}

function toWire(words: readonly Word[]): Uint8Array {
  const params = readWordsOfParams(words).sort((one, other) => one.key - other.key);
  const twin = params.find(({ key }, at) => key === params[at - 1]?.key);
  if (twin !== undefined) throw fault(`have ${keyName(twin.key)} twice; write it once`);
  return concatOctets(
    params.flatMap(({ key, value }) => [uint16sToOctets(key, value.length), value]),
  );
}

/** Reads the parameters of words. A quoted value after `=` is a separate word. */
function readWordsOfParams(words: readonly Word[]): SvcParam[] {
  const params: SvcParam[] = [];
  for (const [at, word] of words.entries()) {
    if (word.quoted) params.push(toParam(keyBefore(word, words[at - 1]), word));
    else if (!word.text.endsWith('=') || words[at + 1]?.quoted !== true) {
      params.push(readParam(word.text));
    }
  }
  return params;
}

function keyBefore({ text }: Word, before: Word | undefined): string {
  if (before?.text.endsWith('=') === true && !before.quoted) return before.text.slice(0, -1);
  throw fault(`have ${inQuotes(text)} without a key; write for example port=443`);
}

/** Reads `key` or `key=value`. */
function readParam(text: string): SvcParam {
  const [name = ''] = text.split('=', 1);
  return toParam(name, { text: text.slice(name.length + 1), quoted: false });
}

function toParam(name: string, word: Word): SvcParam {
  const text = wordOctets(LABEL, word);
  const key = keyNumber(name.toLowerCase());
  const { toWire: write, fromWire } = valueOf(key);
  const value = isGenericName(name.toLowerCase()) ? text : write(text);
  if (value.length > MAX_VALUE_OCTETS)
    throw fault(`have ${name} with more than ${MAX_VALUE_OCTETS} octets`);
  // Do not accept a value that cannot be read back.
  fromWire(value);
  return { key, value };
}

function toText({ key, value }: SvcParam): string {
  const text = valueOf(key).fromWire(value);
  if (text.length === 0) return keyName(key);
  const plain = Buffer.from(text).toString('latin1');
  return `${keyName(key)}=${PLAIN.test(plain) ? plain : quoteString(text)}`;
}

function fault(what: string): RdataSyntaxError {
  return new RdataSyntaxError(`The ${LABEL} ${what}.`);
}
