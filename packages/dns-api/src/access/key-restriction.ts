import { type AccessRule, readAccessRules } from '@zonewright/dns-records';
import { ServiceError } from '@zonewright/service-kit';
import type { RestrictedKey } from '@zonewright/zones';

/** Members of a v3 `token` body that restrict the token. */
export interface RestrictionBody {
  readonly application_credential?: { readonly id?: unknown; readonly restricted?: unknown };
  readonly 'EXT-IDM:restrictions'?: {
    readonly rules?: unknown;
    readonly networks?: unknown;
    readonly massDelete?: unknown;
  };
}

/**
 * Returns the restricted key of a token, or undefined. A restriction of a newer version makes the token invalid: an incomplete reading
 * would allow what it forbids.
 *
 * @throws ServiceError `unauthenticated`.
 */
export function readRestrictedKey(token: RestrictionBody): RestrictedKey | undefined {
  const { application_credential: credential, 'EXT-IDM:restrictions': restrictions } = token;
  if (credential === undefined && restrictions === undefined) return undefined;
  if (credential?.restricted !== true || typeof credential.id !== 'string') throw unreadable();
  return { id: credential.id, ...readRestrictions(restrictions ?? {}) };
}

const MEMBERS: readonly string[] = ['tenantId', 'rules', 'networks', 'massDelete'];

function readRestrictions(
  restrictions: NonNullable<RestrictionBody['EXT-IDM:restrictions']>,
): Omit<RestrictedKey, 'id'> {
  const { rules, networks, massDelete } = restrictions;
  const isUnknown = Object.keys(restrictions).some((member) => !MEMBERS.includes(member));
  if (isUnknown || !isTexts(networks) || typeof massDelete !== 'boolean') throw unreadable();
  return { rules: readRules(rules), networks, massDelete };
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function readRules(value: unknown): readonly AccessRule[] | undefined {
  if (value === undefined) return undefined;
  const { rules, faults } = readAccessRules(value);
  if (faults.length > 0) throw unreadable();
  return rules;
}

function unreadable(): ServiceError {
  return new ServiceError(
    'unauthenticated',
    'The restrictions of the access key of this token cannot be read.',
  );
}
