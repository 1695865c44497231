import { inQuotes, RdataSyntaxError } from '../../values/problem.js';
import { readUint16, uint16sToOctets } from '../../wire/octets.js';
import {
  alpn,
  ech,
  ipv4hint,
  ipv6hint,
  nothing,
  opaque,
  port,
  splitValues,
  type SvcValue,
} from './svc-values.js';

export const MANDATORY = 0;
export const ALPN = 1;
export const NO_DEFAULT_ALPN = 2;
export const DOHPATH = 7;
/** Largest key. The next one is reserved as "invalid key" (RFC 9460 s14.3.2). */
const MAX_KEY = 65_534;

/** Keys that clients must support, in order and without repetition (RFC 9460 s8). */
const mandatory: SvcValue = {
  toWire: (text) => {
    const values = splitValues(text);
    if (values.length > MAX_KEY / 2) {
      throw new RdataSyntaxError('The parameter mandatory lists too many keys; list fewer.');
    }
    const keys = values.map((value) => keyNumber(Buffer.from(value).toString('latin1')));
    return uint16sToOctets(...keys.sort((one, other) => one - other));
  },
  fromWire: (wire) => {
    const keys = readKeys(wire);
    if (
      wire.length !== 2 * keys.length ||
      keys.length === 0 ||
      !keys.every((key, at) => key > (keys[at - 1] ?? -1))
    ) {
      throw new RdataSyntaxError(
        'The parameter mandatory must list keys, each of them once; write for example mandatory=alpn,port.',
      );
    }
    return Buffer.from(keys.map(keyName).join(','));
  },
};

/** Supported keys (RFC 9460 s7, RFC 9461 s5), by number. */
const KEYS: readonly (readonly [name: string, value: SvcValue])[] = [
  ['mandatory', mandatory],
  ['alpn', alpn],
  ['no-default-alpn', nothing],
  ['port', port],
  ['ipv4hint', ipv4hint],
  ['ech', ech],
  ['ipv6hint', ipv6hint],
  ['dohpath', opaque],
];

export function valueOf(key: number): SvcValue {
  return KEYS[key]?.[1] ?? opaque;
}

/** @throws RdataSyntaxError */
export function keyName(key: number): string {
  if (key > MAX_KEY)
    throw new RdataSyntaxError(`The parameter key${key} is reserved; use another key.`);
  return KEYS[key]?.[0] ?? `key${key}`;
}

/** @throws RdataSyntaxError */
export function keyNumber(name: string): number {
  const digits = /^key(0|[1-9]\d{0,4})$/.exec(name)?.[1];
  const number =
    digits === undefined ? KEYS.findIndex(([known]) => known === name) : Number(digits);
  if (number >= 0 && number <= MAX_KEY) return number;
  const names = KEYS.map(([known]) => known).join(', ');
  throw new RdataSyntaxError(
    `The parameter ${inQuotes(name)} is not known; write one of ${names}, or key and a number, such as key${MAX_KEY}.`,
  );
}

/**
 * Whether the name contains the number, so that the value is opaque and not in the format of the key (RFC 9460 s2.1).
 */
export function isGenericName(name: string): boolean {
  return /^key\d/.test(name);
}

/** Returns the keys in the value of `mandatory`. */
export function readKeys(value: Uint8Array): number[] {
  return Array.from({ length: Math.floor(value.length / 2) }, (_, at) => readUint16(value, 2 * at));
}
