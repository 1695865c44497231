import { ACCESS_KEY_ALGORITHMS } from '@zonewright/database';
import { isName } from '../shared/names.js';

/** Keystone's limit for the name of an application credential. */
export const MAX_KEY_NAME_LENGTH = 255;
export const MAX_KEY_DESCRIPTION_LENGTH = 1024;
/** Maximum length of an accessKeyId and of a secretKey (Identity s4, Import). */
export const MAX_IMPORTED_LENGTH = 999;
export const MAX_ALGORITHM_LENGTH = 255;
/** Default validity: ten years of 365 days (D-ACC). */
const DEFAULT_VALIDITY_MS = 3650 * 24 * 60 * 60 * 1000;

/** Period in which a key can be used. */
interface Validity {
  readonly validFrom: Date;
  readonly validTo: Date;
}

/** Completes the validity: from now, cut to the second, for 3650 days (D-ACC-27). */
export function completeValidity(
  given: { readonly [K in keyof Validity]?: Date | undefined },
  now: Date,
): Validity {
  const validFrom = given.validFrom ?? new Date(Math.floor(now.getTime() / 1000) * 1000);
  const validTo =
    given.validTo ?? new Date(Math.min(validFrom.getTime() + DEFAULT_VALIDITY_MS, LATEST_TIME));
  return { validFrom, validTo };
}

export function isSoundValidity({ validFrom, validTo }: Validity): boolean {
  return validTo > validFrom;
}

/** Whether new keys can be made for this algorithm. */
export function isAccessKeyAlgorithm(name: string): boolean {
  return ACCESS_KEY_ALGORITHMS.some((known) => known === name);
}

/**
 * Whether an imported key may have this algorithm. Any is allowed, since the service does not sign with imported keys.
 */
export function isImportableAlgorithm(name: string): boolean {
  return name !== '' && name.length <= MAX_ALGORITHM_LENGTH;
}

/** Whether a text may be the id or the secret of an imported key. */
export function isImportable(text: string): boolean {
  return text !== '' && Array.from(text).length <= MAX_IMPORTED_LENGTH;
}

export function isKeyName(text: string): boolean {
  return isName(text) && text.length <= MAX_KEY_NAME_LENGTH;
}

const LOCAL = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?$/;
const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/i;
const MILLISECONDS = /^\d{1,15}$/;
/** Latest time. PostgreSQL and ISO 8601 both support years of four digits. */
const LATEST_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * Reads a date of an access key (D-ACC-28): `YYYY-MM-DDThh:mm:ss` in UTC, RFC 3339 with an offset, or milliseconds
 * since the epoch. Returns undefined for anything else, including 30 February.
 */
export function parseDate(value: unknown): Date | undefined {
  const time = toMilliseconds(value);
  return time === undefined || !(time >= 0 && time <= LATEST_TIME) ? undefined : new Date(time);
}

/** Formats a date that parseDate read from `value` in UTC, with the microseconds that a Date does not have. */
export function withMicroseconds(date: Date, value: unknown): string {
  const [, digits = ''] = /\.\d{3}(\d{1,3})/.exec(String(value)) ?? [];
  return date.toISOString().replace('Z', digits.padEnd(3, '0'));
}

function toMilliseconds(value: unknown): number | undefined {
  if (Number.isSafeInteger(value)) return value as number;
  if (typeof value !== 'string') return undefined;
  if (MILLISECONDS.test(value)) return Number(value);
  if (LOCAL.test(value)) return parseIso(`${value}Z`);
  return RFC_3339.test(value) ? parseIso(value.toUpperCase()) : undefined;
}

function parseIso(text: string): number | undefined {
  const dayOfMonth = Number(text.slice(8, 10));
  // Date.parse reads 30 February as 2 March.
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return day.getUTCDate() === dayOfMonth ? Date.parse(text) : undefined;
}
