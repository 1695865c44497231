import { ServiceError } from '@zonewright/service-kit';
import type { LockedZone } from '../domains/zone.js';
import { findLimits } from '../limits/limits-store.js';
import type { Problem } from '../problem.js';
import type { UnitOfWork } from '../transactions/unit-of-work.js';
import { checkAlias } from './alias-rule.js';
import { checkChildZones } from './child-zone-rule.js';
import { checkDuplicates } from './duplicate-rule.js';
import { loadFutureNames } from './future-names.js';
import { checkMailTargets, mailTargetNames } from './mail-target-rule.js';
import type { RecordChange } from './record-change.js';
import { invalidRecord } from './record-form.js';

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
  const future = await loadFutureNames(
    work.trx,
    zone,
    changes,
    mailTargetNames(written, work.rules),
  );
  return [
    ...checkAlias(written, future),
    ...checkDuplicates(written, future),
    ...(await checkChildZones(work.trx, zone, written)),
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
export async function requireRecordQuota(
  { trx, rules }: UnitOfWork,
  zone: LockedZone,
  changes: readonly RecordChange[],
): Promise<void> {
  const growth = changes.reduce(
    (sum, { before, after }) =>
      sum + (after === undefined ? 0 : 1) - (before === undefined ? 0 : 1),
    0,
  );
  if (growth <= 0) return;
  const { maxDomainRecords } = await findLimits(trx, zone.tenantId, rules);
  if (zone.recordCount + growth <= maxDomainRecords) return;
  throw new ServiceError(
    'over-quota',
    `The domain would have ${zone.recordCount + growth} records; its limit is ${maxDomainRecords}.`,
  );
}
