import type { Database } from '@zonewright/database';
import { ancestorsOf, RECORD_TYPES } from '@zonewright/dns-records';
import type { LockedZone } from '../../rows/zone.js';
import { listZonesNamed } from '../../rows/zone-store.js';
import type { MxTargetCheck } from '../../request/rules.js';
import { LocksOutdated } from '../../transactions/in-transaction.js';
import type { UnitOfWork } from '../../transactions/unit-of-work.js';
import { type FutureNames, indexByName } from './future-names.js';
import type { RecordChange } from '../changes/record-change.js';
import type { Breach } from './violation.js';
import { listRecordKeysAt, type RecordKey, type RecordPlace } from '../../rows/record-store.js';

/** The rule that holds for a zone: its tenant's own, or that of the service. */
function ruleFor({ rules }: UnitOfWork, zone: LockedZone): MxTargetCheck {
  return zone.mxTargetCheck ?? rules.mxTargetCheck;
}

/** The names that must be known to judge the mail targets that the changes bring. */
export function mailTargetNames(
  work: UnitOfWork,
  zone: LockedZone,
  written: readonly RecordChange[],
): string[] {
  return newMailTargets(written, ruleFor(work, zone)).flatMap(({ target }) =>
    namesThatAnswer(target),
  );
}

/**
 * DNS API s4: an MX record can be created only when an A record exists for it to map to. As decisions 3 has it:
 * `hosted` looks at targets inside a zone of this service, `strict` refuses all others, `off` looks at none.
 */
export async function checkMailTargets(
  work: UnitOfWork,
  zone: LockedZone,
  written: readonly RecordChange[],
  future: FutureNames,
): Promise<Breach[]> {
  const { trx } = work;
  const rule = ruleFor(work, zone);
  const brought = newMailTargets(written, rule);
  const targets = [...new Set(brought.map(({ target }) => target))];
  if (targets.length === 0) return [];
  const hosts = await findHostingZones(trx, targets);
  const foreign = await loadForeignNames(trx, zone, hosts);
  const faults = new Map<string, string | undefined>();
  for (const target of targets) {
    const host = hosts.get(target);
    const names = host === undefined || host.id === zone.id ? future : foreign.get(host.id);
    faults.set(
      target,
      host === undefined || names === undefined
        ? outsideFault(target, rule)
        : faultOf(target, names),
    );
  }
  return brought.flatMap(({ change, target }) => {
    const message = faults.get(target);
    if (message === undefined) return [];
    return [
      { change, kind: 'invalid', problem: { path: 'data', validator: 'mailTarget', message } },
    ];
  });
}

interface NewMailTarget {
  readonly change: RecordChange;
  /** Canonical name. */
  readonly target: string;
}

/** Only what the changes bring: a target that was there before is not judged again. */
function newMailTargets(written: readonly RecordChange[], rule: MxTargetCheck): NewMailTarget[] {
  if (rule === 'off') return [];
  return written.flatMap((change) => {
    const target = mailTarget(change.after);
    return target === null || target === mailTarget(change.before) ? [] : [{ change, target }];
  });
}

function mailTarget(record: RecordChange['after']): string | null {
  return record?.type === 'MX' ? RECORD_TYPES.MX.target(record.data) : null;
}

function outsideFault(target: string, rule: MxTargetCheck): string | undefined {
  return rule === 'strict'
    ? `data ${JSON.stringify(target)} lies in no domain of this service; write the name of a host in one.`
    : undefined;
}

function faultOf(target: string, names: FutureNames): string | undefined {
  const answering = namesThatAnswer(target).find((name) => names.has(name));
  const found = answering === undefined ? undefined : names.get(answering);
  const quoted = JSON.stringify(target);
  if (found?.hasAlias === true) {
    return `data ${quoted} is an alias (CNAME); write the name that it leads to (RFC 2181 s10.3).`;
  }
  return found?.hasAddress === true
    ? undefined
    : `data ${quoted} has no A or AAAA record; create one first.`;
}

/**
 * What stands at the targets in other zones. One of the tenant's own can only be judged while it is kept as it is; one
 * of another tenant is judged as it is now, since nobody may keep others from changing their zones.
 */
async function loadForeignNames(
  trx: Database,
  zone: LockedZone,
  hosts: ReadonlyMap<string, HostingZone>,
): Promise<ReadonlyMap<string, FutureNames>> {
  const places: RecordPlace[] = [];
  for (const [target, host] of hosts) {
    if (host.id === zone.id) continue;
    if (host.tenantId === zone.tenantId && !zone.keptZones.has(host.id)) throw new LocksOutdated();
    for (const name of namesThatAnswer(target)) places.push({ zoneId: host.id, name });
  }
  const byZone = new Map<string, RecordKey[]>([...hosts.values()].map(({ id }) => [id, []]));
  for (let from = 0; from < places.length; from += NAMES_PER_STATEMENT) {
    const found = await listRecordKeysAt(trx, places.slice(from, from + NAMES_PER_STATEMENT));
    for (const key of found) byZone.get(key.zoneId)?.push(key);
  }
  const names = new Map<string, FutureNames>();
  for (const [zoneId, keys] of byZone) names.set(zoneId, await indexByName(keys));
  return names;
}

/** So many names go into one statement. */
const NAMES_PER_STATEMENT = 10_000;

/** The target, and the wildcards that may stand for it, nearest first (RFC 4592). */
function namesThatAnswer(target: string): string[] {
  return [target, ...ancestorsOf(target).map((name) => `*.${name}`)];
}

/** A zone in which a mail target lies. */
export interface HostingZone {
  readonly id: string;
  readonly tenantId: string;
}

/** The zone in which each name lies: of those that contain it, the one with the longest name. */
export async function findHostingZones(
  trx: Database,
  names: readonly string[],
): Promise<Map<string, HostingZone>> {
  const candidates = new Set<string>();
  const zones = new Map<string, HostingZone>();
  const look = async () => {
    for (const zone of await listZonesNamed(trx, [...candidates])) zones.set(zone.name, zone);
    candidates.clear();
  };
  for (const name of names) {
    for (const each of [name, ...ancestorsOf(name)]) candidates.add(each);
    if (candidates.size >= NAMES_PER_STATEMENT) await look();
  }
  if (candidates.size > 0) await look();
  const hosts = new Map<string, HostingZone>();
  for (const name of names) {
    const host = [name, ...ancestorsOf(name)].find((each) => zones.has(each));
    const zone = host === undefined ? undefined : zones.get(host);
    if (zone !== undefined) hosts.set(name, zone);
  }
  return hosts;
}
