import { type Database, queryRow, queryRows } from '@zonewright/database';

/**
 * Time in which a zone was one tenant's, as serials. A change belongs to the tenant that the zone had: after a transfer the
 * earlier changes stay with the tenant that gave the zone away.
 */
export interface HistoryPeriod {
  /** Serial of the step that brought the zone; 0 for the oldest change. */
  readonly from: number;
  /** Serial of the step that took the zone away; undefined if it is still the tenant's. */
  readonly until: number | undefined;
}

/**
 * Condition on changes `c` of a zone's transfers, which are the steps that name another tenant. The index
 * zone_changes_transfers contains no others.
 */
export const IS_TRANSFER = `c.action = 'domain-update'
  and (c.before ->> 'tenant_id') is distinct from (c.after ->> 'tenant_id')`;

/** Changes before so many transfers of a zone are shown to nobody. */
const MAX_TRANSFERS = 1_000;

interface Transfer {
  readonly serial: number;
  readonly giver: string;
  readonly receiver: string;
}

/** Lists the times in which a zone was this tenant's, oldest first. `owner` has it now; undefined if it is not known. */
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

/** Returns the serial with which the history of the present owner begins, if the zone was another tenant's before. */
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

/** The condition on dns.zone_changes as c; undefined periods: all changes. */
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
