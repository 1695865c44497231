import {
  ACCESS_KEY_ALGORITHMS,
  ACCESS_KEY_LENGTH,
  DEFAULT_ACCESS_KEY_ALGORITHM,
  isAccessKeyLength,
} from '@zonewright/database';
import type { Members } from '@zonewright/http-api';
import { parseDate } from './parse-date.js';

/** What a caller may decide about a new key; whatever else is sent is the server's own and ignored. */
export interface NewAccessKey {
  readonly algorithm: string;
  readonly keyLength: number | undefined;
  readonly status: 'active' | 'inactive';
  readonly userId: string | undefined;
  readonly validFrom: Date;
  readonly validTo: Date;
}

/** A key from elsewhere brings its secret along, and mostly its id. */
export interface ImportedAccessKey extends NewAccessKey {
  readonly id: string | undefined;
  readonly secretKey: string;
}

const MAX_IMPORTED_LENGTH = 999;
const MAX_ALGORITHM_LENGTH = 255;
const DEFAULT_VALIDITY_MS = 3650 * 24 * 60 * 60 * 1000;

export function readNewAccessKey(members: Members, now: Date): NewAccessKey {
  const algorithm = members.optionalText('algorithm') ?? DEFAULT_ACCESS_KEY_ALGORITHM;
  if (!ACCESS_KEY_ALGORITHMS.some((known) => known === algorithm)) {
    members.problem('algorithm', `must be one of ${ACCESS_KEY_ALGORITHMS.join(', ')}`);
  }
  const keyLength = readKeyLength(members) ?? ACCESS_KEY_LENGTH.default;
  if (!isAccessKeyLength(keyLength)) {
    const { minimum, maximum } = ACCESS_KEY_LENGTH;
    members.problem('keyLength', `must be a multiple of 8 from ${minimum} to ${maximum}`);
  }
  return { ...readCommon(members, now), algorithm, keyLength };
}

export function readImportedAccessKey(members: Members, now: Date): ImportedAccessKey {
  const id = members.optionalText('accessKeyId');
  if (id === '' || isTooLong(id)) {
    members.problem('accessKeyId', `must have 1 to ${MAX_IMPORTED_LENGTH} characters`);
  }
  const secretKey = members.text('secretKey');
  if (secretKey === '' || isTooLong(secretKey)) {
    members.problem('secretKey', `must have 1 to ${MAX_IMPORTED_LENGTH} characters`);
  }
  const algorithm = members.text('algorithm');
  if (algorithm === '' || algorithm.length > MAX_ALGORITHM_LENGTH) {
    members.problem('algorithm', `must have 1 to ${MAX_ALGORITHM_LENGTH} characters`);
  }
  const keyLength = readKeyLength(members);
  return { ...readCommon(members, now), id, secretKey, algorithm, keyLength };
}

/** The status that callers may set. */
export function readStatus(members: Members): 'active' | 'inactive' | undefined {
  const status = members.optionalText('status');
  if (status === undefined || status === 'active' || status === 'inactive') return status;
  members.problem('status', 'must be active or inactive');
  return undefined;
}

function readCommon(members: Members, now: Date) {
  const validFrom = readDate(members, 'validFrom') ?? cutToSecond(now);
  const validTo =
    readDate(members, 'validTo') ?? new Date(validFrom.getTime() + DEFAULT_VALIDITY_MS);
  if (validTo <= validFrom) members.problem('validTo', 'must lie after validFrom');
  return {
    status: readStatus(members) ?? 'active',
    userId: members.optionalIdText('userId'),
    validFrom,
    validTo,
  } as const;
}

function readKeyLength(members: Members): number | undefined {
  // XML knows no numbers.
  const value = members.raw('keyLength');
  if (value === undefined) return undefined;
  const digits = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  if (/^\d{1,5}$/.test(digits)) return Number(digits);
  members.problem('keyLength', 'must be an integer');
  return undefined;
}

function readDate(members: Members, name: string): Date | undefined {
  const value = members.raw(name);
  if (value === undefined) return undefined;
  const date = parseDate(value);
  if (date === undefined) {
    members.problem(
      name,
      'must be YYYY-MM-DDThh:mm:ss, with or without an offset, or milliseconds since 1970',
    );
  }
  return date;
}

function cutToSecond(time: Date): Date {
  return new Date(Math.floor(time.getTime() / 1000) * 1000);
}

function isTooLong(text: string | undefined): boolean {
  return text !== undefined && Array.from(text).length > MAX_IMPORTED_LENGTH;
}
