import { type Database, queryRow, queryRows } from '@zonewright/database';

/**
 * Period in which a tenant owned a zone, as serials. A change belongs to the tenant that owned the zone: after a
 * transfer, earlier changes stay with the previous owner.
 */
export interface HistoryPeriod {
  /** Serial of the changeset that started the period. 0 for the oldest change. */
  readonly from: number;
  /** Serial of the changeset that ended the period. Undefined if the tenant still owns the zone. */
  readonly until: number | undefined;
}

/**
 * Condition for changes `c` that transfer a zone, that is, changesets with another tenant. The index
 * zone_changes_transfers contains no others.
 */
export const IS_TRANSFER = `c.action = 'domain-update'
  and (c.before ->> 'tenant_id') is distinct from (c.after ->> 'tenant_id')`;

/** Maximum number of transfers of a zone that are read. Earlier changes are not shown. */
const MAX_TRANSFERS = 1_000;

interface Transfer {
  readonly serial: number;
  readonly giver: string;
  readonly receiver: string;
}

/**
 * Lists the periods in which this tenant owned a zone, oldest first. `owner` is the current owner, undefined if
 * unknown.
 */
export async function listHistoryPeriods(
  db: Database,
  zoneId: string,
  { tenantId, owner }: { readonly tenantId: string; readonly owner: string | undefined },
): Promise<readonly HistoryPeriod[]> {
  const newest = await queryRows<Transfer>(
    db,
    `select c.serial_after as serial, c.before ->> 'tenant_id' as giver, c.after ->> 'tenant_id' as receiver
       from dns.zone_changes as c where c.domain_id = ? and ${IS_TRANSFER}
      order by c.serial_after desc limit ?`,
    [zoneId, MAX_TRANSFERS],
  );
  return periodsOf(newest.toReversed(), { tenantId, owner });
}

/** Returns the periods of one tenant by the transfers of a zone, oldest first. */
export function periodsOf(
  transfers: readonly Transfer[],
  { tenantId, owner }: { readonly tenantId: string; readonly owner: string | undefined },
): readonly HistoryPeriod[] {
  const isCut = transfers.length >= MAX_TRANSFERS;
  const ended = transfers.map(({ giver, serial }, index) => ({
    tenant: giver,
    from: transfers[index - 1]?.serial ?? 0,
    until: serial,
  }));
  const last = transfers.at(-1);
  const current = {
    tenant: last?.receiver ?? owner,
    from: last?.serial ?? 0,
    until: undefined,
  };
  return [...(isCut ? ended.slice(1) : ended), current]
    .filter(({ tenant }) => tenant === tenantId)
    .map(({ from, until }) => ({ from, until }));
}

/** Returns the serial at which the history of the current owner begins, if the zone was transferred. */
export async function findTransferSerial(
  db: Database,
  zoneId: string,
): Promise<number | undefined> {
  const row = await queryRow<{ serial: number }>(
    db,
    `select c.serial_after as serial from dns.zone_changes as c where c.domain_id = ? and ${IS_TRANSFER}
      order by c.serial_after desc limit 1`,
    [zoneId],
  );
  return row?.serial;
}

/** Returns the condition for dns.zone_changes as c. Undefined periods mean all changes. */
export function filterPeriods(periods: readonly HistoryPeriod[] | undefined): {
  readonly sql: string;
  readonly values: readonly number[];
} {
  if (periods === undefined || periods.some(({ from, until }) => from === 0 && until === undefined))
    return { sql: '', values: [] };
  const parts = periods.map(({ until }) =>
    until === undefined ? 'c.serial_after >= ?' : '(c.serial_after >= ? and c.serial_after < ?)',
  );
  return {
    sql: `and (${['false', ...parts].join(' or ')})`,
    values: periods.flatMap(({ from, until }) => (until === undefined ? [from] : [from, until])),
  };
}
