import type { Database } from '@zonewright/database';
import type { ZoneRules } from '../request/rules.js';
import { deleteQuota, findQuota, type Quota, upsertQuota } from './quota-store.js';

type Limits = Pick<ZoneRules, 'maxDomains' | 'maxDomainRecords' | 'maxRecordsetRecords'>;

/** Defaults of dns-api. */
const DEFAULTS: Quota = {
  maxDomains: null,
  maxDomainRecords: null,
  maxRecordsetRecords: null,
  maxExportRecords: null,
  maxWriteOctets: null,
  mxTargetCheck: null,
};

/** Returns the stored quotas of a tenant. */
export async function getQuota(db: Database, tenantId: string): Promise<Quota> {
  return (await findQuota(db, tenantId)) ?? DEFAULTS;
}

/** Returns the limits of a tenant: its own quotas, or the defaults of the service. */
export async function getLimits(db: Database, tenantId: string, defaults: Limits): Promise<Limits> {
  const quota = await getQuota(db, tenantId);
  return {
    maxDomains: quota.maxDomains ?? defaults.maxDomains,
    maxDomainRecords: quota.maxDomainRecords ?? defaults.maxDomainRecords,
    maxRecordsetRecords: quota.maxRecordsetRecords ?? defaults.maxRecordsetRecords,
  };
}

type QuotaChange = { readonly [Member in keyof Quota]?: Quota[Member] | undefined };

/** Changes the given members. @returns the new quotas of the tenant */
export async function changeQuota(
  db: Database,
  tenantId: string,
  change: QuotaChange,
): Promise<Quota> {
  const quota = await getQuota(db, tenantId);
  const {
    maxDomains = quota.maxDomains,
    maxDomainRecords = quota.maxDomainRecords,
    maxRecordsetRecords = quota.maxRecordsetRecords,
    maxExportRecords = quota.maxExportRecords,
    maxWriteOctets = quota.maxWriteOctets,
    mxTargetCheck = quota.mxTargetCheck,
  } = change;
  const changed = {
    maxDomains,
    maxDomainRecords,
    maxRecordsetRecords,
    maxExportRecords,
    maxWriteOctets,
    mxTargetCheck,
  };
  await upsertQuota(db, tenantId, changed);
  return changed;
}

/** Back to the defaults. */
export async function clearQuota(db: Database, tenantId: string): Promise<Quota> {
  await deleteQuota(db, tenantId);
  return DEFAULTS;
}
