import { ServiceError } from '@zonewright/service-kit';
import type { LockedZone } from '../domains/zone.js';
import type { Problem } from '../problem.js';
import type { UnitOfWork } from '../transactions/unit-of-work.js';
import { checkAlias } from './alias-rule.js';
import { checkChildZones, possibleChildZones } from './child-zone-rule.js';
import { checkDuplicates } from './duplicate-rule.js';
import { namesOf, toFutureNames } from './future-names.js';
import { checkMailTargets, mailTargetNames } from './mail-target-rule.js';
import type { RecordChange } from './record-change.js';
import { invalidRecord } from './record-form.js';
import { listNeighbours } from './neighbour-store.js';

/** A rule about records among each other that a change would break. */
export interface Breach {
  readonly change: RecordChange;
  readonly kind: 'invalid' | 'conflict';
  readonly problem: Problem;
}

/**
 * What the changes would break, seen from after all of them: rules that look at other records and zones. The zone
 * is locked, so what is found here still holds when the changes are written.
 */
export async function findBreaches(
  work: UnitOfWork,
  zone: LockedZone,
  changes: readonly RecordChange[],
): Promise<Breach[]> {
  const written = changes.filter(({ after }) => after !== undefined);
  if (written.length === 0) return [];
  const neighbours = await listNeighbours(work.trx, zone.id, {
    recordNames: [...namesOf(written), ...mailTargetNames(work, zone, written)],
    zoneNames: possibleChildZones(zone, written),
  });
  const future = toFutureNames(changes, neighbours.records);
  return [
    ...checkAlias(written, future),
    ...checkDuplicates(written, future),
    ...checkChildZones(zone, written, neighbours.zones),
    ...(await checkMailTargets(work, zone, written, future)),
  ];
}

/** @throws ServiceError `invalid` or `conflict` for the breaches of a single change. */
export function refuseBreaches(breaches: readonly Breach[]): void {
  const invalid = breaches.filter(({ kind }) => kind === 'invalid');
  if (invalid.length > 0) throw invalidRecord(invalid.map(({ problem }) => problem));
  const [conflict] = breaches;
  if (conflict === undefined) return;
  throw new ServiceError('conflict', conflict.problem.message, {
    details: { subject: 'record', problems: [conflict.problem] },
  });
}

/** @throws ServiceError `over-quota` when the zone would grow beyond its tenant's limit. */
export function requireRecordQuota(
  { rules }: UnitOfWork,
  zone: LockedZone,
  changes: readonly RecordChange[],
): void {
  const growth = changes.reduce(
    (sum, { before, after }) =>
      sum + (after === undefined ? 0 : 1) - (before === undefined ? 0 : 1),
    0,
  );
  if (growth <= 0) return;
  const maxRecords = zone.maxRecords ?? rules.maxDomainRecords;
  if (zone.recordCount + growth <= maxRecords) return;
  throw new ServiceError(
    'over-quota',
    `The domain would have ${zone.recordCount + growth} records; its limit is ${maxRecords}.`,
  );
}
