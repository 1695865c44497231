import { isIP } from 'node:net';
import { TSIG_ALGORITHMS, type TsigAlgorithm } from '@zonewright/dns-records';
import { invalidRequest, type Problem } from '@zonewright/service-kit';
import { isSpecialAddress } from './special-address.js';
import type { InputMembers } from '../request/rules.js';
import { readTsigName, readTsigSecret } from './tsig-key.js';
import type { Primary, PrimaryKey, Secondary } from './secondary.js';

/** Primaries of a zone in a request. */
export interface PrimariesInput {
  readonly primaries: readonly Primary[];
  /** Null if their answers are not signed. */
  readonly key: PrimaryKey | null;
  /** Undefined if the secret does not change, or there is no key. */
  readonly secret: Buffer | undefined;
}

const MAX_PRIMARIES = 6;
const DNS_PORT = 53;
const MAX_PORT = 65_535;

/** @throws ServiceError `invalid` with all problems */
export function readPrimaries(
  { values, problems }: InputMembers,
  stored: Pick<Secondary, 'key'> | undefined,
  mayBePrivate: boolean,
): PrimariesInput {
  const found: Problem[] = [...problems];
  const primaries = readList(values, mayBePrivate, found);
  const { key, secret } = readKey(values['key'] ?? null, stored?.key ?? null, found);
  if (found.length > 0) throw invalidRequest(found);
  return { primaries, key, secret };
}

/** Reads the list that v1 calls primaries and Designate calls masters. */
function readList(
  values: InputMembers['values'],
  mayBePrivate: boolean,
  problems: Problem[],
): readonly Primary[] {
  const path = 'masters' in values ? 'masters' : 'primaries';
  const value = values[path];
  const say = (rule: string) => {
    problems.push({ path, validator: 'format', message: `${path} must be ${rule}` });
    return [];
  };
  const read = Array.isArray(value) ? value.map(readPrimary) : [];
  const isRead = read.length > 0 && read.every((each) => each !== undefined);
  if (!isRead || read.length > MAX_PRIMARIES) {
    return say(
      path === 'masters'
        ? `a list of 1 to ${MAX_PRIMARIES} IP addresses, such as 192.0.2.1 or 192.0.2.1:5353.`
        : `a list of 1 to ${MAX_PRIMARIES} objects with an IP "address", and a "port" if it is not ${DNS_PORT}.`,
    );
  }
  if (!mayBePrivate && read.some(({ address }) => isSpecialAddress(address))) {
    return say('public addresses, not private or special ones.');
  }
  return read;
}

function readPrimary(value: unknown): Primary | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { address, port = DNS_PORT, ...others } = value as Record<string, unknown>;
  if (Object.keys(others).length > 0 || !isAddress(address) || !isPort(port)) return undefined;
  return { address, port };
}

/** Whether a value is an address without a zone index, which has a meaning only on one machine. */
function isAddress(value: unknown): value is string {
  return typeof value === 'string' && isIP(value) !== 0 && !value.includes('%');
}

function isPort(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_PORT;
}

function readKey(
  value: unknown,
  stored: PrimaryKey | null,
  problems: Problem[],
): Pick<PrimariesInput, 'key' | 'secret'> {
  if (value === null) return { key: null, secret: undefined };
  const { secret, ...named } = (typeof value === 'object' ? value : {}) as Record<string, unknown>;
  const key = readNamedKey(named);
  if (key === undefined) {
    const message = `key must have a name, an algorithm (${TSIG_ALGORITHMS.join(', ')}) and a secret in base64, or be null.`;
    problems.push({ path: 'key', validator: 'format', message });
    return { key: null, secret: undefined };
  }
  const octets = readTsigSecret(secret);
  const isGiven = secret !== undefined && secret !== null;
  const isSame = stored?.name === key.name && stored.algorithm === key.algorithm;
  if (octets === undefined && (isGiven || !isSame)) {
    const message = 'secret must be 8 to 512 octets in base64, the same as at the primary.';
    problems.push({ path: 'key.secret', validator: 'format', message });
  }
  return { key, secret: octets };
}

function readNamedKey({
  name,
  algorithm,
  ...others
}: Readonly<Record<string, unknown>>): PrimaryKey | undefined {
  const keyName = readTsigName(name);
  const known = TSIG_ALGORITHMS.find((each): each is TsigAlgorithm => each === algorithm);
  const isKey = keyName !== undefined && known !== undefined && Object.keys(others).length === 0;
  return isKey ? { name: keyName, algorithm: known } : undefined;
}
