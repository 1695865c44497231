import type { Database } from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';
import { getTenant } from '@zonewright/accounts';
import {
  deleteQuota,
  findQuota,
  type MxTargetCheck,
  type Quota,
  upsertQuota,
} from './quota-store.js';

/** By the tenant's id or name. @throws ServiceError not-found */
export async function getQuota(db: Database, tenant: string): Promise<Quota> {
  const { id } = await getTenant(db, tenant);
  const quota = await findQuota(db, id);
  if (quota === undefined) throw new ServiceError('not-found', `the tenant "${tenant}" is gone`);
  return quota;
}

interface QuotaChange {
  /** Null: the default of dns-api. */
  readonly maxDomains?: number | null | undefined;
  readonly maxDomainRecords?: number | null | undefined;
  readonly maxWriteOctets?: number | null | undefined;
  readonly mxTargetCheck?: MxTargetCheck | null | undefined;
}

/** Changes the members that are given. @throws ServiceError not-found */
export async function setQuota(db: Database, tenant: string, change: QuotaChange): Promise<Quota> {
  const quota = await getQuota(db, tenant);
  const {
    maxDomains = quota.maxDomains,
    maxDomainRecords = quota.maxDomainRecords,
    maxWriteOctets = quota.maxWriteOctets,
    mxTargetCheck = quota.mxTargetCheck,
  } = change;
  const { tenantId } = quota;
  await upsertQuota(db, {
    tenantId,
    maxDomains,
    maxDomainRecords,
    maxWriteOctets,
    mxTargetCheck,
  });
  return await getQuota(db, quota.tenantId);
}

/** Back to the defaults. @throws ServiceError not-found */
export async function clearQuota(db: Database, tenant: string): Promise<Quota> {
  const { tenantId } = await getQuota(db, tenant);
  await deleteQuota(db, tenantId);
  return await getQuota(db, tenantId);
}
