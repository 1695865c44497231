import { type Database, queryRow, queryRows } from '@zonewright/database';
import type { CanonicalKey, SigningAlgorithm } from '@zonewright/dns-records/dnssec';
import type { SigningState, RequestedSigning } from '../rows/signing-state.js';
import { clearSignedNames } from './signed-name-store.js';

/** DS of a zone at its parent zone. */
export interface ParentDs {
  readonly checkedAt: Date;
  /** Whether all servers of the parent agree. */
  readonly agreed: boolean;
  readonly ds: readonly DsRecord[];
  readonly dsTtl: number | null;
}

export interface DsRecord {
  readonly keyTag: number;
  readonly algorithm: number;
  readonly digestType: number;
  /** Digest in hexadecimal and lower case. */
  readonly digest: string;
}

export async function findParentDs(db: Database, zoneId: string): Promise<ParentDs | undefined> {
  return await queryRow<ParentDs>(
    db,
    `select p.checked_at as "checkedAt", p.agreed, p.ds, p.ds_ttl as "dsTtl" from dns.parent_ds as p where p.domain_id = ?`,
    [zoneId],
  );
}

export async function writeParentDs(
  db: Database,
  zoneId: string,
  { checkedAt, agreed, ds, dsTtl }: ParentDs,
): Promise<void> {
  await db.raw(
    `insert into dns.parent_ds as p (domain_id, checked_at, agreed, ds, ds_ttl) values (?, ?, ?, cast(? as jsonb), ?)
         on conflict (domain_id) do update
            set checked_at = excluded.checked_at, agreed = excluded.agreed, ds = excluded.ds, ds_ttl = excluded.ds_ttl`,
    [zoneId, checkedAt, agreed, JSON.stringify(ds), dsTtl],
  );
}

export async function insertSigning(
  trx: Database,
  zone: {
    readonly id: string;
    readonly algorithm: SigningAlgorithm;
    readonly userId: string;
    readonly at: Date;
  },
): Promise<void> {
  await trx.raw(
    `insert into dns.zone_dnssec (domain_id, state, algorithm, requested_by, next_resign_at, changed_at)
     values (?, 'signing', ?, ?, ?, ?)`,
    [zone.id, zone.algorithm, zone.userId, zone.at, zone.at],
  );
}

/** Writes a request for the signer, which reads it at once. */
export async function writeSigningRequest(
  trx: Database,
  zoneId: string,
  wish: RequestedSigning | null,
  at: Date,
): Promise<void> {
  await trx.raw(
    'update dns.zone_dnssec as z set wish = ?, next_resign_at = ? where z.domain_id = ?',
    [wish, at, zoneId],
  );
}

export async function writeState(
  trx: Database,
  zoneId: string,
  state: SigningState,
  at: Date,
): Promise<void> {
  await trx.raw(
    `update dns.zone_dnssec as z set state = ?, changed_at = ?, next_resign_at = ?, cursor = null where z.domain_id = ?`,
    [state, at, at, zoneId],
  );
}

/** Sets the algorithm of the next key. */
export async function writeAlgorithm(
  trx: Database,
  zoneId: string,
  algorithm: SigningAlgorithm,
): Promise<void> {
  await trx.raw('update dns.zone_dnssec as z set algorithm = ? where z.domain_id = ?', [
    algorithm,
    zoneId,
  ]);
}

export async function clearSigningRequest(trx: Database, zoneId: string): Promise<void> {
  await trx.raw('update dns.zone_dnssec as z set wish = null where z.domain_id = ?', [zoneId]);
}

/** Writes the progress of the first signing, and its serial. */
export async function writeProgress(
  trx: Database,
  zoneId: string,
  progress: { readonly cursor: string | null; readonly signedSerial: number | null },
): Promise<void> {
  await trx.raw(
    `update dns.zone_dnssec as z set cursor = convert_to(?, 'UTF8'), signed_serial = ? where z.domain_id = ?`,
    [progress.cursor, progress.signedSerial, zoneId],
  );
}

export async function writeNextVisit(trx: Database, zoneId: string, at: Date): Promise<void> {
  await trx.raw('update dns.zone_dnssec as z set next_resign_at = ? where z.domain_id = ?', [
    at,
    zoneId,
  ]);
}

/** Makes the signer sign all names of a zone again, in batches that begin at the apex. */
export async function requestResigning(trx: Database, zoneId: string, at: Date): Promise<void> {
  await writeResigning(trx, zoneId, { after: '', at });
}

/** Writes the progress of signing all names again. `after` is null when all names are done. */
export async function writeResigning(
  trx: Database,
  zoneId: string,
  { after, at }: { readonly after: CanonicalKey | null; readonly at: Date },
): Promise<void> {
  await trx.raw(
    'update dns.zone_dnssec as z set resign_after = ?, next_resign_at = ? where z.domain_id = ?',
    [after === null ? null : Buffer.from(after, 'latin1'), at, zoneId],
  );
}

/** Deletes all signing data of a zone, which is unsigned from then on. */
export async function deleteSigning(trx: Database, zoneId: string): Promise<void> {
  await clearSignedNames(trx, zoneId);
  for (const table of ['zone_dnssec', 'zone_keys', 'signing_steps']) {
    await trx.raw(`delete from dns.${table} as t where t.domain_id = ?`, [zoneId]);
  }
}

/** Lists zones that are due for the signer: at a certain time, or because the managed apex records have changed. */
export async function listDueZones(
  db: Database,
  at: Date,
  { limit, except }: { readonly limit: number; readonly except: readonly string[] },
): Promise<string[]> {
  const others = [...except];
  const rows = await queryRows<{ id: string }>(
    db,
    `(select z.domain_id as id from dns.zone_dnssec as z join dns.domains as d on d.id = z.domain_id
       where z.next_resign_at <= ? and z.domain_id <> all(?::uuid[]) and d.deleted_at is null
       order by z.next_resign_at limit ?)
     union
     (select d.id from dns.domains as d join dns.zone_dnssec as z on z.domain_id = d.id
       where d.deleted_at is null and d.apex_version < (select max(v.version) from dns.apex_versions as v)
         and d.id <> all(?::uuid[]) limit ?)`,
    [at, others, limit, others, limit],
  );
  return rows.map(({ id }) => id);
}

/** Whether the managed apex records have changed since a zone got its serial. */
export async function isApexOutdated(db: Database, zoneId: string): Promise<boolean> {
  const row = await queryRow(
    db,
    `select 1 as outdated from dns.domains as d where d.id = ? and d.apex_version < (select max(v.version) from dns.apex_versions as v)`,
    [zoneId],
  );
  return row !== undefined;
}

/**
 * Lists signed zones whose parents must be checked: every five minutes if the zone waits for its parent, otherwise once
 * a day. The zone whose check is oldest comes first.
 */
export async function listZonesToCheckParents(
  db: Database,
  at: Date,
  limit: number,
): Promise<{ id: string; name: string }[]> {
  return await queryRows(
    db,
    `select d.id, d.name from dns.zone_dnssec as z join dns.domains as d on d.id = z.domain_id
       left join dns.parent_ds as p on p.domain_id = z.domain_id
      where z.state in ('signed', 'leaving') and d.deleted_at is null
        and coalesce(p.checked_at < cast(? as timestamptz) - case
              when z.state = 'leaving' or p.ds = '[]'
                or exists (select from dns.zone_keys as k where k.domain_id = d.id and k.state in ('retiring', 'foreign'))
              then interval '5 minutes' else interval '1 day' end, true)
      order by p.checked_at nulls first limit ?`,
    [at, limit],
  );
}

/** Deletes changesets that nameservers no longer need. */
export async function deleteOldSignedChanges(
  db: Database,
  before: Date,
  limit: number,
): Promise<number> {
  const rows = await queryRows(
    db,
    `delete from dns.signing_steps as s using
       (select o.domain_id, o.serial_after from dns.signing_steps as o where o.signed_at < ? order by o.signed_at limit ?) as old
      where s.domain_id = old.domain_id and s.serial_after = old.serial_after returning s.serial_after`,
    [before, limit],
  );
  return rows.length;
}

/** Returns how far the clock of the database is ahead of `at`, in seconds. */
export async function readClockDifference(db: Database, at: Date): Promise<number> {
  const row = await queryRow<{ seconds: number }>(
    db,
    'select cast(extract(epoch from clock_timestamp() - cast(? as timestamptz)) as float8) as seconds',
    [at],
  );
  return row?.seconds ?? 0;
}

/** Capabilities of nameservers. dnssec: serves signed zones. dnssec-algorithms: also while their algorithm changes. */
export type SigningCapability = 'dnssec' | 'dnssec-algorithms';

/** Lists live nameservers without a capability. They are of an earlier version. */
export async function listUnableNameservers(
  db: Database,
  capability: SigningCapability | 'secondary' | 'nsec3' | 'dname',
): Promise<string[]> {
  const rows = await queryRows<{ name: string }>(
    db,
    `select s.name from dns.nameserver_status as s
      where s.heartbeat_at > now() - interval '1 minute' and not coalesce(s.capabilities @> array[cast(? as text)], false)
      order by s.name`,
    [capability],
  );
  return rows.map(({ name }) => name);
}
