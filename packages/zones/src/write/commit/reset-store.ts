import { CHANNELS, type Database } from '@zonewright/database';
import { queryRow, queryRows } from '@zonewright/database';

/**
 * Selects transaction ids that this cluster has not reached. Their rows were restored from a dump of another cluster.
 */
const IS_FROM_THE_FUTURE = '>= pg_snapshot_xmax(pg_current_snapshot())';

/** The numbers of rows whose positions this cluster has not reached. */
export interface UnreachedPositions {
  readonly zones: number;
  readonly journalEntries: number;
  readonly nameservers: number;
}

export async function countUnreachedPositions(db: Database): Promise<UnreachedPositions> {
  const row = await queryRow<UnreachedPositions>(
    db,
    `select (select count(*) from dns.domains as d where d.changed_in ${IS_FROM_THE_FUTURE})
            + (select count(*) from dns.nameserver_domain as n where n.changed_in ${IS_FROM_THE_FUTURE}) as zones,
            (select count(*) from dns.zone_changes as c where c.changed_in ${IS_FROM_THE_FUTURE}) as "journalEntries",
            (select count(*) from dns.nameserver_status as s where s.applied_before ${IS_FROM_THE_FUTURE}) as nameservers`,
  );
  return row ?? { zones: 0, journalEntries: 0, nameservers: 0 };
}

/** Returns the first position that no transaction has used. */
export async function nextPosition(db: Database): Promise<string> {
  const row = await queryRow<{ position: string }>(
    db,
    'select pg_snapshot_xmax(pg_current_snapshot())::text as position',
  );
  return row?.position ?? '0';
}

/**
 * Locks zones whose position comes from another cluster, and with `before` also those that have not changed since
 * then. Zones are locked by id, as by all writers of several zones.
 */
export async function lockZonesToStamp(
  trx: Database,
  limit: number,
  before: string | undefined,
): Promise<{ id: string; serial: number; isLiving: boolean; isSigned: boolean }[]> {
  return await queryRows(
    trx,
    `select d.id, d.serial, d.deleted_at is null as "isLiving",
            exists (select from dns.zone_dnssec as z where z.domain_id = d.id and z.state <> 'signing') as "isSigned"
       from dns.domains as d
      where d.changed_in ${IS_FROM_THE_FUTURE} or d.changed_in < coalesce(?, '0')::xid8
      order by d.id limit ? for no key update`,
    [before ?? null, limit],
  );
}

/** Requests the next serials of signed zones from the signer, because only the signer can sign them. */
export async function requestSigning(trx: Database, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await trx.raw(
    `with apex as (
       update dns.signed_names as n set resign_at = now() where n.domain_id = any(:ids::uuid[]) and n.canonical = ''
     )
     update dns.zone_dnssec as z set next_resign_at = now() where z.domain_id = any(:ids::uuid[])`,
    { ids: [...ids] as unknown as string },
  );
}

/** Puts zones into the feed as if this transaction had changed them, with unchanged serials. */
export async function stampZones(trx: Database, ids: readonly string[]): Promise<void> {
  await trx.raw(
    'update dns.domains as d set changed_in = pg_current_xact_id() where d.id = any(?::uuid[])',
    [[...ids]],
  );
}

/**
 * Gives the next journal entries with positions of another cluster a new position, in the order of their ids.
 * @returns the id of the last entry that was examined
 */
export async function stampJournal(
  db: Database,
  after: number,
  limit: number,
): Promise<{ last: number | null; stamped: number }> {
  const row = await queryRow<{ last: number | null; stamped: number }>(
    db,
    `with looked_at as (
       select c.id, c.changed_in from dns.zone_changes as c where c.id > ? order by c.id limit ?
     ), stamped as (
       update dns.zone_changes as c set changed_in = pg_current_xact_id()
         from looked_at as l where c.id = l.id and l.changed_in ${IS_FROM_THE_FUTURE} returning c.id
     )
     select (select max(l.id) from looked_at as l) as last, (select count(*) from stamped) as stamped`,
    [after, limit],
  );
  return row ?? { last: null, stamped: 0 };
}

/**
 * Puts the nameserver domain into the feed with its own serial; with `always` even if its position comes from this
 * cluster.
 */
export async function stampNameserverDomain(
  trx: Database,
  step: { readonly always: boolean; readonly serial: number | undefined },
): Promise<number> {
  const rows = await queryRows(
    trx,
    `update dns.nameserver_domain as n set changed_in = pg_current_xact_id(), serial = coalesce(?, n.serial)
      where ? or n.changed_in ${IS_FROM_THE_FUTURE} returning n.name`,
    [step.serial ?? null, step.always],
  );
  return rows.length;
}

/**
 * Deletes the status that nameservers reported for the feed of another cluster. Running nameservers report again within
 * a second.
 */
export async function deleteUnreachedStatus(db: Database): Promise<number> {
  const rows = await queryRows(
    db,
    `delete from dns.nameserver_status as s where s.applied_before ${IS_FROM_THE_FUTURE} returning s.name`,
  );
  return rows.length;
}

/** Wakes the nameservers when the transaction commits. */
export async function announceAll(trx: Database): Promise<void> {
  await trx.raw('select pg_notify(?, ?)', [CHANNELS.dns, 'feed-reset']);
}
