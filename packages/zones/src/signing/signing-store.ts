import { type Database, queryRow, queryRows } from '@zonewright/database';
import {
  type CanonicalKey,
  keyTagOf,
  type PublicKey,
  type SigningAlgorithm,
} from '@zonewright/dns-records/dnssec';
import type { SigningState, RequestedSigning, ZoneKey } from '../rows/signing-state.js';

/** Stored state of the signing of a zone. */
export interface ZoneSigning {
  readonly state: SigningState;
  readonly algorithm: SigningAlgorithm;
  /** Progress of the first signing: the last owner name. */
  readonly cursor: string | null;
  readonly signedSerial: number | null;
  readonly wish: RequestedSigning | null;
  readonly changedAt: Date;
  /** Name after which the signer continues to sign all names again, starting at the apex. Null if no name needs it. */
  readonly resignAfter: CanonicalKey | null;
  /** Null if none were ever requested. */
  readonly foreignKeys: DesiredExternalKeys | null;
}

/** Key of another provider that signs the same zone. */
export interface ExternalKey extends PublicKey {
  readonly algorithm: SigningAlgorithm;
  readonly publicKey: Buffer;
  readonly keyTag: number;
}

export interface DesiredExternalKeys {
  readonly keys: readonly ExternalKey[];
  /** Whether other keys are removed without waiting for the parent. */
  readonly atOnce: boolean;
}

export async function findSigning(db: Database, zoneId: string): Promise<ZoneSigning | undefined> {
  const row = await queryRow<
    Omit<ZoneSigning, 'foreignKeys' | 'resignAfter'> & {
      foreignKeys: StoredForeignKeys | null;
      resignAfter: Buffer | null;
    }
  >(
    db,
    `select z.state, z.algorithm, convert_from(z.cursor, 'UTF8') as cursor, z.signed_serial as "signedSerial", z.wish,
            z.changed_at as "changedAt", z.resign_after as "resignAfter", z.foreign_keys as "foreignKeys"
       from dns.zone_dnssec as z where z.domain_id = ?`,
    [zoneId],
  );
  return (
    row && {
      ...row,
      resignAfter: row.resignAfter && row.resignAfter.toString('latin1'),
      foreignKeys: row.foreignKeys && wantedOf(row.foreignKeys),
    }
  );
}

interface StoredForeignKeys {
  readonly keys: readonly (Omit<ExternalKey, 'publicKey' | 'keyTag'> & {
    readonly publicKey: string;
  })[];
  readonly atOnce: boolean;
}

function wantedOf({ keys, atOnce }: StoredForeignKeys): DesiredExternalKeys {
  const read = keys.map(({ flags, algorithm, publicKey: text }) => {
    const key = { flags, algorithm, publicKey: Buffer.from(text, 'base64') };
    return { ...key, keyTag: keyTagOf(key) };
  });
  return { keys: read, atOnce };
}

/** Lists the keys in use, oldest first. */
export async function listZoneKeys(db: Database, zoneId: string): Promise<ZoneKey[]> {
  return await queryRows<ZoneKey>(
    db,
    `select ${ZONE_KEY_COLUMNS} from dns.zone_keys as k where k.domain_id = ? and k.state <> 'removed' order by k.published_at, k.id`,
    [zoneId],
  );
}

export const ZONE_KEY_COLUMNS = `k.id, k.algorithm, k.flags, k.key_tag as "keyTag", k.public_key as "publicKey", k.state,
          k.published_at as "publishedAt", k.active_at as "activeAt", k.ds_seen_at as "dsSeenAt", k.retire_at as "retireAt",
          k.removed_at as "removedAt", k.ds_from as "dsFrom"`;

/** Existing zone in the form that its signer needs. */
export interface ZoneToSign {
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  readonly email: string;
  readonly ttl: number;
  readonly serial: number;
}

const ZONE = 'd.id, d.tenant_id as "tenantId", d.name, d.email, d.ttl, d.serial';

/**
 * Locks an existing zone until the transaction ends. Undefined if it does not exist or, with `skip`, if it is already
 * locked.
 */
export async function lockZoneToSign(
  trx: Database,
  zoneId: string,
  { skip = false }: { readonly skip?: boolean } = {},
): Promise<ZoneToSign | undefined> {
  return await queryRow<ZoneToSign>(
    trx,
    `select ${ZONE} from dns.domains as d where d.id = ? and d.deleted_at is null
        for no key update ${skip ? 'skip locked' : ''}`,
    [zoneId],
  );
}

/** Returns the current state of an existing zone. */
export async function findZoneToSign(
  db: Database,
  zoneId: string,
): Promise<ZoneToSign | undefined> {
  return await queryRow<ZoneToSign>(
    db,
    `select ${ZONE} from dns.domains as d where d.id = ? and d.deleted_at is null`,
    [zoneId],
  );
}

/** Returns the nearest of these names that is an existing zone with signing data. */
export async function findParentSigning(
  db: Database,
  names: readonly string[],
): Promise<{ readonly id: string; readonly state: SigningState } | undefined> {
  const row = await queryRow<{ id: string; state: SigningState | null }>(
    db,
    `select d.id, z.state from dns.domains as d left join dns.zone_dnssec as z on z.domain_id = d.id
      where d.name = any(?::text[]) and d.deleted_at is null order by length(d.name) desc limit 1`,
    [names],
  );
  return row === undefined || row.state === null ? undefined : { id: row.id, state: row.state };
}

/** Returns the largest TTL in seconds of a zone's records, now or before a change since the given time. */
export async function findMaxTtl(db: Database, zoneId: string, since: Date): Promise<number> {
  const row = await queryRow<{ ttl: number | null }>(
    db,
    `select cast(greatest(
              (select max(r.ttl) from dns.records as r where r.domain_id = ?),
              (select max(cast(c.before ->> 'ttl' as bigint)) from dns.zone_changes as c
                where c.domain_id = ? and c.changed_at > ?)) as float8) as ttl`,
    [zoneId, zoneId, since],
  );
  return row?.ttl ?? 0;
}

/** Restarts the first signing of a zone after a change that its journal does not contain. */
export async function restartFirstSigning(trx: Database, zoneId: string): Promise<void> {
  await trx.raw(
    `update dns.zone_dnssec as z set cursor = null, signed_serial = null where z.domain_id = ? and z.state = 'signing'`,
    [zoneId],
  );
}
