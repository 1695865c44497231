import { announceZoneChange, type Database, queryRows } from '@zonewright/database';
import { LIVE_MS } from '../publication/nameserver-status.js';

/** A zone that a nameserver answers with changes that the database no longer has. */
export interface AheadZone {
  readonly id: string;
  readonly serial: number;
  /** Serials that nameservers and secondaries have. */
  readonly answered: readonly number[];
}

/** Names and serials, as nameservers report them now; `*` stands for those that are not named. */
const REPORTED = `
  select e.key as name, array_agg(distinct e.value::float8) as serials
    from dns.nameserver_status as s, lateral jsonb_each_text(s.ahead_zones) as e
   where s.ahead_zones is not null and e.key <> '*'
     and s.heartbeat_at > now() - interval '${LIVE_MS} milliseconds'
   group by e.key`;

/** SQL of the serials that secondaries have of a zone, as an array. */
const OF_SECONDARIES = (id: string) => `
  coalesce((select array_agg(p.serial::float8) from dns.peer_status as p
             where p.domain_id = ${id} and p.serial is not null), '{}')`;

const SIGNING = `dns.zone_dnssec as z where z.domain_id = d.id and z.state <> 'signing'`;

const REPORTED_ZONES = `
  select d.id, d.serial, reported.serials || ${OF_SECONDARIES('d.id')} as answered
    from (${REPORTED}) as reported
    join dns.domains as d on d.name = reported.name and d.deleted_at is null`;

/** Locks unsigned zones that are reported; those that another writer holds come later. */
export async function lockUnsignedAheadZones(trx: Database, limit: number): Promise<AheadZone[]> {
  return await queryRows<AheadZone>(
    trx,
    `${REPORTED_ZONES} where not exists (select from ${SIGNING})
      order by d.id limit ? for no key update of d skip locked`,
    [limit],
  );
}

export async function listSignedAheadZones(db: Database, limit: number): Promise<AheadZone[]> {
  return await queryRows<AheadZone>(
    db,
    `${REPORTED_ZONES} where exists (select from ${SIGNING}) order by d.id limit ?`,
    [limit],
  );
}

/** Serials that nameservers and secondaries have of zones. */
export async function listAnsweredSerials(
  db: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  const rows = await queryRows<{ id: string; answered: number[] }>(
    db,
    `select d.id, coalesce(reported.serials, '{}'::float8[]) || ${OF_SECONDARIES('d.id')} as answered
       from dns.domains as d left join (${REPORTED}) as reported on reported.name = d.name
      where d.id = any(?::uuid[])`,
    [[...ids]],
  );
  return new Map(rows.map(({ id, answered }) => [id, answered]));
}

/** Whether any live nameserver reports a zone ahead. */
export async function hasAheadZones(db: Database): Promise<boolean> {
  const rows = await queryRows(
    db,
    `select from dns.nameserver_status as s
      where s.ahead_zones is not null and s.heartbeat_at > now() - interval '${LIVE_MS} milliseconds' limit 1`,
  );
  return rows.length > 0;
}

/** Wakes the nameservers once the transaction commits. */
export async function announceIncreased(trx: Database): Promise<void> {
  await announceZoneChange(trx, 'serials');
}
