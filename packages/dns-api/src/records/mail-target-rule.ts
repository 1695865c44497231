import type { Database } from '@zonewright/database';
import { ancestorsOf, RECORD_TYPES } from '@zonewright/dns-records';
import type { LockedZone } from '../domains/zone.js';
import { listZonesNamed } from '../domains/zone-store.js';
import type { MxTargetCheck } from '../settings.js';
import { LocksOutdated } from '../transactions/in-transaction.js';
import type { UnitOfWork } from '../transactions/unit-of-work.js';
import { type FutureNames, indexByName } from './future-names.js';
import type { RecordChange } from './record-change.js';
import type { Breach } from './record-rules.js';
import { listRecordKeys } from './record-store.js';

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
  const faults = new Map<string, string | undefined>();
  for (const target of targets) {
    const host = hosts.get(target);
    const names =
      host === undefined || host === zone.id
        ? future
        : await loadForeignNames(trx, zone, host, target);
    faults.set(target, host === undefined ? outsideFault(target, rule) : faultOf(target, names));
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

/** Another zone can only be judged while it is kept as it is. */
async function loadForeignNames(
  trx: Database,
  zone: LockedZone,
  host: string,
  target: string,
): Promise<FutureNames> {
  if (!zone.keptZones.has(host)) throw new LocksOutdated();
  return indexByName(await listRecordKeys(trx, host, namesThatAnswer(target)));
}

/** The target, and the wildcards that may stand for it, nearest first (RFC 4592). */
function namesThatAnswer(target: string): string[] {
  return [target, ...ancestorsOf(target).map((name) => `*.${name}`)];
}

/** The zone in which each name lies: of those that contain it, the one with the longest name. */
export async function findHostingZones(
  trx: Database,
  names: readonly string[],
): Promise<Map<string, string>> {
  const candidates = [...new Set(names.flatMap((name) => [name, ...ancestorsOf(name)]))];
  const zones = new Map(
    (await listZonesNamed(trx, candidates)).map(({ name, id }) => [name, id] as const),
  );
  const hosts = new Map<string, string>();
  for (const name of names) {
    const host = [name, ...ancestorsOf(name)].find((each) => zones.has(each));
    const id = host === undefined ? undefined : zones.get(host);
    if (id !== undefined) hosts.set(name, id);
  }
  return hosts;
}
