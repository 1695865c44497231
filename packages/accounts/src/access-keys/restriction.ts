import { type AccessRule, readAccessRules, type RuleFault } from '@zonewright/dns-records';
import { readNetwork, ServiceError } from '@zonewright/service-kit';
import { isId } from '../shared/names.js';
import { type Account, hasRoleOnTenant } from '../users/account.js';

/** Restriction of an access key in its normal form, as it is stored and returned. */
export interface RestrictionContent {
  /** The only tenant that the key's tokens are for. */
  readonly tenantId: string;
  /** Rights on the tenant's zones; undefined if the key has those of its user. */
  readonly rules?: readonly AccessRule[] | undefined;
  /** Networks from which the key may be used, in CIDR form; empty if it may be used from anywhere. */
  readonly networks: readonly string[];
  /** Whether the key may remove so many records of a zone at once that a user would have to confirm it. */
  readonly massDelete: boolean;
}

const MAX_NETWORKS = 32;
/** Maximum size of the normal form as JSON, in bytes. */
const MAX_RESTRICTION_OCTETS = 16_384;

/** Requested restriction. If it has no tenant, the tenant of the key's owner is used. */
export type RequestedRestriction = Omit<RestrictionContent, 'tenantId'> & {
  readonly tenantId: string | undefined;
};

interface Reading {
  /** Undefined if no restriction is requested. */
  readonly wish: RequestedRestriction | undefined;
  /** Problems, with paths relative to the given members. */
  readonly faults: readonly RuleFault[];
}

type AddFault = (path: string, what: string) => void;

const RESTRICTION_MEMBERS: readonly string[] = ['tenantId', 'rules', 'networks', 'massDelete'];
const PRESET_MEMBERS: readonly string[] = ['preset', 'zone', 'tenantId', 'networks', 'massDelete'];
/** Maximum size of the requested members before they are read. The normal form has its own limit. */
const FAR_TOO_LARGE = 4 * MAX_RESTRICTION_OCTETS;

/**
 * Reads the members that restrict a key: `restrictions` with everything, or `preset` with a zone. The caller checks for
 * unknown members, since it knows the others.
 */
export function readRestriction(members: ReadonlyMap<string, unknown>): Reading {
  const faults: RuleFault[] = [];
  const add: AddFault = (path, what) => faults.push({ path, what });
  const restrictions = members.get('restrictions');
  if (restrictions === undefined) {
    const isPreset = PRESET_MEMBERS.some((member) => members.has(member));
    return { wish: isPreset ? readPreset(members, add) : undefined, faults };
  }
  for (const member of PRESET_MEMBERS) {
    if (members.has(member)) add(member, 'cannot be combined with restrictions');
  }
  return { wish: readMembers(restrictions, add), faults };
}

function readPreset(members: ReadonlyMap<string, unknown>, add: AddFault): RequestedRestriction {
  const rules = presetRules(members.get('preset'), members.get('zone'));
  if (rules === undefined) add('preset', `must be one of ${PRESET_NAMES.join(', ')}`);
  // The restriction can be wrong only in the zone of a preset's rule, because the rest is fixed.
  const read = rules === undefined ? undefined : readAccessRules(rules);
  for (const { what } of read?.faults ?? []) add('zone', what);
  return { ...readCommon(members, add), rules: read?.rules ?? [] };
}

function readMembers(value: unknown, add: AddFault): RequestedRestriction {
  const under: AddFault = (path, what) => {
    add(path === '' ? 'restrictions' : `restrictions.${path}`, what);
  };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    under('', `must be an object with the members ${RESTRICTION_MEMBERS.join(', ')}`);
    return { ...readCommon(new Map(), under), rules: [] };
  }
  if (JSON.stringify(value).length > FAR_TOO_LARGE) {
    under('', `must have at most ${MAX_RESTRICTION_OCTETS} bytes`);
    return { ...readCommon(new Map(), under), rules: [] };
  }
  const members = new Map<string, unknown>(Object.entries(value));
  for (const member of members.keys()) {
    if (RESTRICTION_MEMBERS.includes(member)) continue;
    const known = RESTRICTION_MEMBERS.join(', ');
    under(member.slice(0, 64), `is not a member of restrictions; the members are ${known}`);
  }
  const wish = { ...readCommon(members, under), rules: readRules(members.get('rules'), under) };
  if (Buffer.byteLength(JSON.stringify(wish)) > MAX_RESTRICTION_OCTETS) {
    under('', `must have at most ${MAX_RESTRICTION_OCTETS} bytes`);
  }
  return wish;
}

function readRules(value: unknown, add: AddFault): readonly AccessRule[] | undefined {
  if (value === undefined) return undefined;
  const { rules, faults } = readAccessRules(value);
  for (const { path, what } of faults) add(path, what);
  return rules;
}

function readCommon(members: ReadonlyMap<string, unknown>, add: AddFault) {
  const tenantId = members.get('tenantId');
  if (tenantId !== undefined && (typeof tenantId !== 'string' || !isId(tenantId))) {
    add('tenantId', 'must be the id of a tenant');
  }
  const massDelete = members.get('massDelete') ?? false;
  if (typeof massDelete !== 'boolean') add('massDelete', 'must be true or false');
  return {
    tenantId: typeof tenantId === 'string' ? tenantId : undefined,
    networks: readNetworks(members.get('networks') ?? [], add),
    massDelete: massDelete === true,
  };
}

function readNetworks(value: unknown, add: AddFault): string[] {
  if (!Array.isArray(value) || value.length > MAX_NETWORKS) {
    add('networks', `must be a list of at most ${MAX_NETWORKS} networks`);
    return [];
  }
  return value.flatMap((item: unknown, index) => {
    const reading = readNetwork(typeof item === 'string' ? item : '');
    if ('network' in reading) return [reading.network];
    add(`networks[${index}]`, reading.fault);
    return [];
  });
}

/** Whether a value from an account export is a complete restriction. */
export function isRestriction(value: unknown): boolean {
  const { wish, faults } = readRestriction(new Map([['restrictions', value]]));
  return faults.length === 0 && wish?.tenantId !== undefined;
}

/** Named rules for common purposes; only the zone differs. */
const PRESETS: Readonly<Record<string, (zone: unknown) => unknown[]>> = {
  /** Challenges of ACME (RFC 8555 s8.4) for all names of a zone. */
  acme: (zone): (Omit<AccessRule, 'zone'> & { zone: unknown })[] => [
    { zone, name: '_acme-challenge.**', types: ['TXT'], actions: ['read', 'update'] },
  ],
};

const PRESET_NAMES = Object.keys(PRESETS);

/** Returns the rules of a preset in the form of a request. Undefined if there is no such preset. */
function presetRules(preset: unknown, zone: unknown): unknown[] | undefined {
  const isKnown = typeof preset === 'string' && Object.hasOwn(PRESETS, preset);
  return isKnown ? PRESETS[preset]?.(zone) : undefined;
}

/**
 * Completes a restriction with its tenant: the requested tenant, or else that of the request's token, or else the
 * owner's only tenant.
 *
 * @throws ServiceError invalid if the owner has no role on that tenant
 */
export function completeRestriction(
  { tenantId: wanted, rules, networks, massDelete }: RequestedRestriction,
  owner: Account,
  current: string | undefined,
): RestrictionContent {
  const tenantId = wanted ?? current ?? onlyTenantOf(owner);
  if (tenantId === undefined) {
    throw invalid(
      `tenantId is required: a restricted key is valid for one tenant, but ${owner.name} has several`,
    );
  }
  if (!hasRoleOnTenant(owner, tenantId)) {
    throw invalid(`tenantId is ${tenantId}, but ${owner.name} has no role on this tenant`);
  }
  return { tenantId, ...(rules === undefined ? {} : { rules }), networks, massDelete };
}

function onlyTenantOf({ assignments }: Account): string | undefined {
  const tenants = new Set(assignments.flatMap(({ tenantId }) => tenantId ?? []));
  return tenants.size === 1 ? [...tenants][0] : undefined;
}

function invalid(sentence: string): ServiceError {
  return new ServiceError('invalid', sentence, { details: sentence });
}
