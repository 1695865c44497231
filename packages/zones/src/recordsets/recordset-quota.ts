import { ServiceError } from '@zonewright/service-kit';
import { getLimits } from '../quotas/quotas.js';
import type { UnitOfWork } from '../transactions/unit-of-work.js';

/** @throws ServiceError `over-quota` when a recordset would have more records than the tenant may have in one. */
export async function requireRecordsetQuota(
  { trx, caller, rules }: UnitOfWork,
  count: number,
): Promise<void> {
  // One is allowed whatever the quota says, but for that of the zone.
  if (count <= 1) return;
  const { maxRecordsetRecords } = await getLimits(trx, caller.tenantId, rules);
  if (count <= maxRecordsetRecords) return;
  throw new ServiceError(
    'over-quota',
    `The recordset would have ${count} records; its limit is ${maxRecordsetRecords}.`,
  );
}
