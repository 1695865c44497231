import {
  isImportable,
  isKeyName,
  MAX_IMPORTED_LENGTH,
  MAX_KEY_DESCRIPTION_LENGTH,
  MAX_KEY_NAME_LENGTH,
  parseDate,
  readRestriction,
  type RequestedRestriction,
} from '@zonewright/accounts';
import type { Members } from '@zonewright/http-api';

/** What a caller says of a new application credential. */
export interface CredentialWish {
  readonly name: string;
  readonly description: string | undefined;
  /** Undefined: one of our making. */
  readonly secretKey: string | undefined;
  readonly validTo: Date | undefined;
  readonly restriction: RequestedRestriction;
  /** Of roles, ids or names; undefined: all that the user has. */
  readonly roles: readonly string[] | undefined;
}

/** No list of roles is longer. */
const MAX_ROLES = 1_000;

/**
 * Reads Keystone's form. Its rules of access are those of restrictions here: for records, and not for paths of an API.
 */
export function readApplicationCredential(members: Members): CredentialWish {
  const name = members.text('name');
  if (!isKeyName(name)) members.problem('name', `must have 1 to ${MAX_KEY_NAME_LENGTH} characters`);
  const unrestricted = members.raw('unrestricted') ?? false;
  if (unrestricted !== false && unrestricted !== 'false') {
    members.problem('unrestricted', 'must be false: who may make other keys needs an access key');
  }
  const { description, secretKey } = readTexts(members);
  return {
    name,
    description,
    secretKey,
    validTo: readExpiry(members),
    restriction: readAccessRules(members),
    roles: members.has('roles') ? readRoles(members) : undefined,
  };
}

function readTexts(members: Members) {
  const description = members.optionalText('description');
  if ((description?.length ?? 0) > MAX_KEY_DESCRIPTION_LENGTH) {
    members.problem('description', `may have ${MAX_KEY_DESCRIPTION_LENGTH} characters at most`);
  }
  const secretKey = members.optionalText('secret');
  if (secretKey !== undefined && !isImportable(secretKey)) {
    members.problem('secret', `must have 1 to ${MAX_IMPORTED_LENGTH} characters`);
  }
  return { description, secretKey };
}

function readExpiry(members: Members): Date | undefined {
  const value = members.raw('expires_at');
  const date = value === undefined ? undefined : parseDate(value);
  if (value !== undefined && date === undefined) {
    members.problem('expires_at', 'must be YYYY-MM-DDThh:mm:ss, with or without an offset');
  }
  return date;
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
