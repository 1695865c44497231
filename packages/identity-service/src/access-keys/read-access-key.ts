import {
  ACCESS_KEY_ALGORITHMS,
  ACCESS_KEY_LENGTH,
  DEFAULT_ACCESS_KEY_ALGORITHM,
  isAccessKeyLength,
} from '@zonewright/database';
import {
  completeValidity,
  isAccessKeyAlgorithm,
  isImportable,
  isImportableAlgorithm,
  MAX_ALGORITHM_LENGTH,
  isSoundValidity,
  MAX_IMPORTED_LENGTH,
  parseDate,
} from '@zonewright/accounts';
import type { Members } from '@zonewright/http-api';
import { type KeyAttributes, readKeyAttributes } from './read-key-attributes.js';

/** What a caller may decide about a new key; whatever else is sent is the server's own and ignored. */
export interface NewAccessKey extends KeyAttributes {
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

export function readNewAccessKey(members: Members, now: Date): NewAccessKey {
  const algorithm = members.optionalText('algorithm') ?? DEFAULT_ACCESS_KEY_ALGORITHM;
  if (!isAccessKeyAlgorithm(algorithm)) {
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
  if (id !== undefined && !isImportable(id)) {
    members.problem('accessKeyId', `must have 1 to ${MAX_IMPORTED_LENGTH} characters`);
  }
  const secretKey = members.text('secretKey');
  if (!isImportable(secretKey)) {
    members.problem('secretKey', `must have 1 to ${MAX_IMPORTED_LENGTH} characters`);
  }
  const algorithm = members.text('algorithm');
  if (!isImportableAlgorithm(algorithm)) {
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
  const given = {
    validFrom: readDate(members, 'validFrom'),
    validTo: readDate(members, 'validTo'),
  };
  const validity = completeValidity(given, now);
  if (!isSoundValidity(validity)) members.problem('validTo', 'must lie after validFrom');
  return {
    status: readStatus(members) ?? 'active',
    userId: members.optionalIdText('userId'),
    ...readKeyAttributes(members),
    ...validity,
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
