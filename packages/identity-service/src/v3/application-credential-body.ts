import {
  isImportable,
  isKeyName,
  MAX_IMPORTED_LENGTH,
  MAX_KEY_DESCRIPTION_LENGTH,
  MAX_KEY_NAME_LENGTH,
  parseDate,
  readRestriction,
  type RequestedRestriction,
  withMicroseconds,
} from '@zonewright/accounts';
import type { Members } from '@zonewright/http-api';

/** Members of a new application credential in the request. */
export interface NewCredential {
  readonly name: string;
  readonly description: string | undefined;
  /** Undefined if the service generates it. */
  readonly secretKey: string | undefined;
  readonly validTo: Date | undefined;
  /** `validTo` in UTC, with microseconds. */
  readonly validToText: string | undefined;
  readonly restriction: RequestedRestriction;
  /** Ids or names of roles; undefined for all roles of the user. */
  readonly roles: readonly string[] | undefined;
}

/** Maximum length of the list of roles. */
const MAX_ROLES = 1_000;

/** Reads the format of Keystone. Access rules apply to records, as in restrictions, not to paths of an API. */
export function readApplicationCredential(members: Members): NewCredential {
  const name = members.text('name');
  if (!isKeyName(name)) members.problem('name', `must have 1 to ${MAX_KEY_NAME_LENGTH} characters`);
  const unrestricted = members.raw('unrestricted') ?? false;
  if (unrestricted !== false && unrestricted !== 'false') {
    members.problem('unrestricted', 'must be false: only an access key can create further keys');
  }
  const { description, secretKey } = readTexts(members);
  return {
    name,
    description,
    secretKey,
    ...readExpiry(members),
    restriction: readAccessRules(members),
    roles: members.has('roles') ? readRoles(members) : undefined,
  };
}

function readTexts(members: Members) {
  const description = members.optionalText('description');
  if ((description?.length ?? 0) > MAX_KEY_DESCRIPTION_LENGTH) {
    members.problem('description', `must have at most ${MAX_KEY_DESCRIPTION_LENGTH} characters`);
  }
  const secretKey = members.optionalText('secret');
  if (secretKey !== undefined && !isImportable(secretKey)) {
    members.problem('secret', `must have 1 to ${MAX_IMPORTED_LENGTH} characters`);
  }
  return { description, secretKey };
}

function readExpiry(members: Members): Pick<NewCredential, 'validTo' | 'validToText'> {
  const value = members.raw('expires_at');
  const date = value === undefined ? undefined : parseDate(value);
  if (value !== undefined && date === undefined) {
    members.problem('expires_at', 'must be YYYY-MM-DDThh:mm:ss, with or without an offset');
  }
  return { validTo: date, validToText: date && withMicroseconds(date, value) };
}

function readAccessRules(members: Members): RequestedRestriction {
  const rules = members.raw('access_rules');
  const isGiven = Array.isArray(rules) ? rules.length > 0 : rules !== undefined;
  const restrictions = isGiven ? { rules } : {};
  const { wish, faults } = readRestriction(new Map([['restrictions', restrictions]]));
  for (const { path, what } of faults) {
    members.problem(path.replace(/^restrictions(\.rules)?/, 'access_rules'), what);
  }
  return wish ?? { tenantId: undefined, rules: [], networks: [], massDelete: false };
}

function readRoles(members: Members): string[] {
  return members
    .objects('roles', { max: MAX_ROLES })
    .map((role) => role.optionalIdText('id') ?? role.text('name'));
}
