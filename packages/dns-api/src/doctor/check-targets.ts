import { ancestorsOf, RECORD_TYPES } from '@zonewright/dns-records';
import {
  findHostingZones,
  type HostingZone,
  listReferences,
  listTypesAt,
  MAX_TARGETS,
  type Reference,
} from '@zonewright/zones';
import type { DnsAddress } from '@zonewright/service-kit';
import { queryDns } from './ask-dns.js';
import { type Examination, finding, type Finding, type PartResult } from './finding.js';

/** Limit of names in other domains that are looked up. */
const MAX_OUTSIDE = 20;

interface Target {
  readonly reference: Reference;
  /** Canonical name. */
  readonly name: string;
}

/** Result of the lookup of a target; `unknown` if the lookup failed. */
type State = 'address' | 'alias' | 'other' | 'missing' | 'unknown';

/** Checks the targets of the domain's CNAME, MX, NS and SRV records. */
export async function checkTargets(examination: Examination): Promise<PartResult> {
  const { db, zone } = examination;
  return await checkReferences(examination, await listReferences(db, zone.id));
}

/** Checks that targets exist. Targets in our zones are looked up in the database, others with the resolver. */
export async function checkReferences(
  { db, resolver }: Pick<Examination, 'db' | 'resolver'>,
  references: readonly Reference[],
): Promise<PartResult> {
  const targets = references.slice(0, MAX_TARGETS).flatMap(toTarget);
  const hosts = await findHostingZones(
    db,
    targets.map(({ name }) => name),
  );
  const inside = await findInside({ db }, hosts);
  const outside = [...new Set(targets.map(({ name }) => name).filter((name) => !hosts.has(name)))];
  const asked = await askOutside(resolver, outside.slice(0, MAX_OUTSIDE));
  const states = new Map([...inside, ...asked]);
  const isUnknown = asked.some(([, state]) => state === 'unknown');
  return {
    findings: [
      ...targets.flatMap((target) => findingsOf(target, states.get(target.name) ?? 'unknown')),
      ...(references.length > MAX_TARGETS || outside.length > MAX_OUTSIDE ? [notAllChecked()] : []),
    ],
    notChecked: isUnknown ? ['targets-elsewhere'] : [],
  };
}

function toTarget(reference: Reference): Target[] {
  const name = RECORD_TYPES[reference.type].target(reference.data);
  // A target of "." means "no service" (RFC 7505, RFC 2782).
  return name === null || name === '.' ? [] : [{ reference, name }];
}

async function findInside(
  { db }: Pick<Examination, 'db'>,
  hosts: ReadonlyMap<string, HostingZone>,
): Promise<[string, State][]> {
  const names = [...hosts.keys()].flatMap((name) => [
    name,
    ...ancestorsOf(name).flatMap((ancestor) => [ancestor, `*.${ancestor}`]),
  ]);
  const types = await listTypesAt(
    db,
    [...new Set([...hosts.values()].map(({ id }) => id))],
    [...new Set(names)],
  );
  return [...hosts].map(([name, { id }]) => {
    const at = (owner: string) => types.get(`${id} ${owner}`);
    const ancestors = ancestorsOf(name);
    // A name below a DNAME record is an alias of a name below its target.
    if (ancestors.some((ancestor) => at(ancestor)?.has('DNAME') === true)) return [name, 'alias'];
    // Another server answers for names below a delegation.
    if (ancestors.some((ancestor) => at(ancestor)?.has('NS') === true)) return [name, 'unknown'];
    const found = at(name) ?? ancestors.map((ancestor) => at(`*.${ancestor}`)).find(Boolean);
    return [name, stateOf(found)];
  });
}

function stateOf(types: ReadonlySet<string> | undefined): State {
  if (types === undefined) return 'missing';
  if (types.has('A') || types.has('AAAA')) return 'address';
  return types.has('CNAME') ? 'alias' : 'other';
}

async function askOutside(
  resolver: DnsAddress | undefined,
  names: readonly string[],
): Promise<[string, State][]> {
  if (resolver === undefined) return names.map((name) => [name, 'unknown']);
  return await Promise.all(
    names.map(async (name): Promise<[string, State]> => [name, await askFor(resolver, name)]),
  );
}

async function askFor(resolver: DnsAddress, name: string): Promise<State> {
  const answers = await Promise.all(
    (['A', 'AAAA'] as const).map((type) => queryDns(resolver, name, type, { recursive: true })),
  );
  if (
    answers.some((answer) => answer?.answers.some(({ type }) => type === 'A' || type === 'AAAA'))
  ) {
    return 'address';
  }
  if (answers.some((answer) => answer === undefined)) return 'unknown';
  if (answers.every((answer) => answer?.rcode === 'NXDOMAIN')) return 'missing';
  return answers.every((answer) => answer?.rcode === 'NOERROR') ? 'other' : 'unknown';
}

function findingsOf(target: Target, state: State): Finding[] {
  const { name, type } = target.reference;
  const about = { name, type, target: target.name };
  return judge(target, state).map((each) => ({ ...each, about }));
}

function judge({ reference: { name, type }, name: target }: Target, state: State): Finding[] {
  const remedy = `Create ${target}, or correct the ${type} record of ${name}`;
  if (state === 'missing') {
    const message = `The ${type} record of ${name} points to ${target}, which does not exist.`;
    return [finding('error', 'target-missing', message, remedy)];
  }
  if (state === 'other' && type !== 'CNAME') {
    const message = `The ${type} record of ${name} points to ${target}, which has no address.`;
    return [finding('error', 'target-without-address', message, remedy)];
  }
  if (state === 'alias' && type !== 'CNAME') {
    const message = `The ${type} record of ${name} points to ${target}, which is an alias (CNAME or DNAME); RFC 2181 section 10.3 does not allow this.`;
    const action = 'Use the target of the alias instead.';
    return [finding('warning', 'target-is-alias', message, action)];
  }
  return [];
}

function notAllChecked(): Finding {
  return finding(
    'info',
    'targets-not-all-checked',
    `The domain points to more names than one check examines (${MAX_TARGETS}, of which ${MAX_OUTSIDE} outside this service).`,
    'Check the other names yourself.',
  );
}
