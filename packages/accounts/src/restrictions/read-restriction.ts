import { type AccessRule, readAccessRules, type RuleFault } from '@zonewright/dns-records';
import { readNetwork } from '@zonewright/service-kit';
import { isId } from '../values/choose-id.js';
import { PRESET_NAMES, presetRules } from './presets.js';
import { MAX_NETWORKS, MAX_RESTRICTION_OCTETS, type RestrictionContent } from './restriction.js';

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
