import { announceZoneChange, type Database, queryRows } from '@zonewright/database';
import { compareSerials } from '@zonewright/dns-records';
import { LIVE_MS } from './nameserver-status.js';

/** Zone that a nameserver answers with changes that the database no longer has. */
export interface AheadZone {
  readonly id: string;
  readonly serial: number;
  /** Serials that nameservers and secondaries have. */
  readonly answered: readonly number[];
}

/** Names and serials that nameservers report now. `*` stands for all zones that are not named. */
const REPORTED = `
  select e.key as name, array_agg(distinct e.value::float8) as serials
    from dns.nameserver_status as s, lateral jsonb_each_text(s.ahead_zones) as e
   where s.ahead_zones is not null and e.key <> '*'
     and s.heartbeat_at > now() - interval '${LIVE_MS} milliseconds'
   group by e.key`;

/** SQL for the serials that secondaries have of a zone, as an array. */
const OF_SECONDARIES = (id: string) => `
  coalesce((select array_agg(p.serial::float8) from dns.peer_status as p
             where p.domain_id = ${id} and p.serial is not null), '{}')`;

const SIGNING = `dns.zone_dnssec as z where z.domain_id = d.id and z.state <> 'signing'`;

const REPORTED_ZONES = `
  select d.id, d.serial, reported.serials || ${OF_SECONDARIES('d.id')} as answered
    from (${REPORTED}) as reported
    join dns.domains as d on d.name = reported.name and d.deleted_at is null`;

/** Locks reported unsigned zones. Zones that another writer has locked are processed later. */
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
    `${REPORTED_ZONES} where exists (select from ${SIGNING}) order by random() limit ?`,
    [limit],
  );
}

/** Lists the serials that nameservers and secondaries have of zones. */
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

/** Whether any live nameserver reports a zone with lost changes. */
export async function hasAheadZones(db: Database): Promise<boolean> {
  const rows = await queryRows(
    db,
    `select from dns.nameserver_status as s
      where s.ahead_zones is not null and s.heartbeat_at > now() - interval '${LIVE_MS} milliseconds' limit 1`,
  );
  return rows.length > 0;
}

/** Notifies the nameservers when the transaction commits. */
export async function announceIncreased(trx: Database): Promise<void> {
  await announceZoneChange(trx, 'serials');
}

/** Maximum plausible number of lost changes of a zone. A report with more is ignored. */
const MOST_LOST_CHANGES = 1_000_000;
const SERIAL_SPACE = 2 ** 32;

/**
 * Returns the latest serial that the zone's next version must exceed: one that a nameserver or a secondary has, and
 * that is not older than the zone's own serial. Undefined if there is none. A serial that lost changes cannot explain
 * is ignored, since a report must not use up the zone's serials.
 */
export function serialToExceed(
  own: number,
  answered: readonly number[],
  nowSeconds: number,
): number | undefined {
  const now = Math.floor(nowSeconds) % SERIAL_SPACE;
  let latest: number | undefined;
  for (const serial of answered) {
    if (compareSerials(serial, own) < 0 || !isPlausible(serial, own, now)) continue;
    if (latest === undefined || compareSerials(serial, latest) > 0) latest = serial;
  }
  return latest;
}

/** Whether the serial follows the clock, or counts changes from the zone's own serial. */
function isPlausible(serial: number, own: number, now: number): boolean {
  return [own, now].some(
    (base) => compareSerials(serial, (base + MOST_LOST_CHANGES) % SERIAL_SPACE) <= 0,
  );
}
