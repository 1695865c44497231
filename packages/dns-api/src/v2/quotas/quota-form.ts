import { invalidRequest, type Problem } from '@zonewright/service-kit';
import type { Quota } from '@zonewright/zones';
import { readMembers } from '../http/body.js';

/** Quotas by member of v2. The number of recordsets is limited by that of records. */
const MEMBERS = {
  zones: 'maxDomains',
  zone_records: 'maxDomainRecords',
  zone_recordsets: 'maxDomainRecords',
  recordset_records: 'maxRecordsetRecords',
  api_export_size: 'maxExportRecords',
} as const satisfies Readonly<Record<string, keyof Quota>>;

/** Maximum of PostgreSQL's integer. Designate writes -1 for "no limit". */
const UNLIMITED = 2_147_483_647;

type QuotaChange = Partial<Record<(typeof MEMBERS)[keyof typeof MEMBERS], number>>;

/** Reads the body of Set Quotas. @throws ServiceError `invalid` with all problems. */
export function readQuotaChange(body: unknown): QuotaChange {
  const { values, problems } = readMembers(body, Object.keys(MEMBERS));
  const all = [...problems, ...checkCounts(values), ...checkTwins(values)];
  if (all.length > 0) throw invalidRequest(all);
  return Object.fromEntries(
    Object.entries(values).map(([member, value]) => [
      MEMBERS[member as keyof typeof MEMBERS],
      value === -1 ? UNLIMITED : value,
    ]),
  );
}

function checkCounts(values: Readonly<Record<string, unknown>>): Problem[] {
  return Object.entries(values)
    .filter(([, value]) => !isCount(value))
    .map(([path]) => ({
      path,
      validator: 'type',
      message: `${path} must be an integer from 0 to ${UNLIMITED}, or -1 for no limit.`,
    }));
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= -1 && (value as number) <= UNLIMITED;
}

function checkTwins({ zone_records: records, zone_recordsets: sets }: Record<string, unknown>) {
  if (records === undefined || sets === undefined || records === sets) return [];
  const message =
    'zone_recordsets is the same limit as zone_records; write one of them, or the same number.';
  return [{ path: 'zone_recordsets', validator: 'enum', message }];
}
