import { type AccessRule, readAccessRules, type RuleFault } from '@zonewright/dns-records';
import { readNetwork, ServiceError } from '@zonewright/service-kit';
import { isId } from '../shared/names.js';
import { type Account, hasRoleOnTenant } from '../users/account.js';

/** What an access key is restricted to, in its normal form, as it is stored and shown. */
export interface RestrictionContent {
  /** The one tenant that its tokens are for. */
  readonly tenantId: string;
  /** What it may do to the tenant's zones; undefined: whatever its user may. */
  readonly rules?: readonly AccessRule[] | undefined;
  /** From where it may be used, in CIDR form; none: from anywhere. */
  readonly networks: readonly string[];
  /** Whether it may remove more of a zone's records at a time than must be confirmed. */
  readonly massDelete: boolean;
}

const MAX_NETWORKS = 32;
/** Of the normal form, as JSON. */
const MAX_RESTRICTION_OCTETS = 16_384;

/** Restrictions as somebody wants them: without a tenant they get that of the key's owner. */
export type RestrictionWish = Omit<RestrictionContent, 'tenantId'> & {
  readonly tenantId: string | undefined;
};

interface Reading {
  /** Undefined where none are wanted. */
  readonly wish: RestrictionWish | undefined;
  /** What is wrong; paths begin below the members that were given. */
  readonly faults: readonly RuleFault[];
}

type AddFault = (path: string, what: string) => void;

const RESTRICTION_MEMBERS: readonly string[] = ['tenantId', 'rules', 'networks', 'massDelete'];
const PRESET_MEMBERS: readonly string[] = ['preset', 'zone', 'tenantId', 'networks', 'massDelete'];
/** Of the members of a wish before it is looked at; its normal form has another bound. */
const FAR_TOO_LARGE = 4 * MAX_RESTRICTION_OCTETS;

/**
 * Reads the members that say what a key is restricted to: `restrictions` with all of it, or `preset` with a zone. The word
 * for any other member is for the caller, who knows which there are.
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
    if (members.has(member)) add(member, 'cannot be given beside restrictions');
  }
  return { wish: readMembers(restrictions, add), faults };
}

function readPreset(members: ReadonlyMap<string, unknown>, add: AddFault): RestrictionWish {
  const rules = presetRules(members.get('preset'), members.get('zone'));
  if (rules === undefined) add('preset', `must be one of ${PRESET_NAMES.join(', ')}`);
  // Where a rule is at fault it is for its zone: the rest is ours.
  const read = rules === undefined ? undefined : readAccessRules(rules);
  for (const { what } of read?.faults ?? []) add('zone', what);
  return { ...readCommon(members, add), rules: read?.rules ?? [] };
}

function readMembers(value: unknown, add: AddFault): RestrictionWish {
  const under: AddFault = (path, what) => {
    add(path === '' ? 'restrictions' : `restrictions.${path}`, what);
  };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    under('', `must be an object with the members ${RESTRICTION_MEMBERS.join(', ')}`);
    return { ...readCommon(new Map(), under), rules: [] };
  }
  if (JSON.stringify(value).length > FAR_TOO_LARGE) {
    under('', `must have ${MAX_RESTRICTION_OCTETS} octets or less`);
    return { ...readCommon(new Map(), under), rules: [] };
  }
  const members = new Map<string, unknown>(Object.entries(value));
  for (const member of members.keys()) {
    if (RESTRICTION_MEMBERS.includes(member)) continue;
    const known = RESTRICTION_MEMBERS.join(', ');
    under(member.slice(0, 64), `is not a member of restrictions; those are ${known}`);
  }
  const wish = { ...readCommon(members, under), rules: readRules(members.get('rules'), under) };
  if (Buffer.byteLength(JSON.stringify(wish)) > MAX_RESTRICTION_OCTETS) {
    under('', `must have ${MAX_RESTRICTION_OCTETS} octets or less`);
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
    add('networks', `must be a list of ${MAX_NETWORKS} networks or less`);
    return [];
  }
  return value.flatMap((item: unknown, index) => {
    const reading = readNetwork(typeof item === 'string' ? item : '');
    if ('network' in reading) return [reading.network];
    add(`networks[${index}]`, reading.fault);
    return [];
  });
}

/** Whether a value is restrictions with all that they need, as documents carry them. */
export function isRestriction(value: unknown): boolean {
  const { wish, faults } = readRestriction(new Map([['restrictions', value]]));
  return faults.length === 0 && wish?.tenantId !== undefined;
}

/** Rules that many need, by name; what differs is the zone. */
const PRESETS: Readonly<Record<string, (zone: unknown) => unknown[]>> = {
  /** The challenges of ACME (RFC 8555 s8.4), for all names of a zone. */
  acme: (zone): (Omit<AccessRule, 'zone'> & { zone: unknown })[] => [
    { zone, name: '_acme-challenge.**', types: ['TXT'], actions: ['read', 'update'] },
  ],
};

const PRESET_NAMES = Object.keys(PRESETS);

/** The rules of a preset, as a caller would write them; undefined: there is no such preset. */
function presetRules(preset: unknown, zone: unknown): unknown[] | undefined {
  const isKnown = typeof preset === 'string' && Object.hasOwn(PRESETS, preset);
  return isKnown ? PRESETS[preset]?.(zone) : undefined;
}

/**
 * Restrictions with the tenant that they are for: the one that is wanted, else the one that the request is made for, else
 * the only one that the owner has.
 *
 * @throws ServiceError invalid when that is none on which the owner has a role.
 */
export function completeRestriction(
  { tenantId: wanted, rules, networks, massDelete }: RestrictionWish,
  owner: Account,
  current: string | undefined,
): RestrictionContent {
  const tenantId = wanted ?? current ?? onlyTenantOf(owner);
  if (tenantId === undefined) {
    throw invalid(`tenantId is required: the key is for one tenant, and ${owner.name} has several`);
  }
  if (!hasRoleOnTenant(owner, tenantId)) {
    throw invalid(`tenantId is ${tenantId}, a tenant on which ${owner.name} has no role`);
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
