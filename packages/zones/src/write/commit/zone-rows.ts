import { fromRow, ZONE_COLUMNS, type ZoneRow } from '../../rows/zone-store.js';
import {
  APEX_OF_SECONDARY,
  CHANNELS,
  type Database,
  type SecondaryState,
} from '@zonewright/database';
import type { Zone, ZoneAttributes } from '../../rows/zone.js';
import type { Timestamp } from '../../rows/statements.js';
import type { ZoneToSign } from '../../signing/signing-store.js';

export type NewZone = Pick<
  Zone,
  'tenantId' | 'name' | 'displayName' | 'email' | 'ttl' | 'description' | 'serial'
> & {
  readonly attributes?: ZoneAttributes;
};

/** Values of a zone that another service hosted before. */
export type EarlierZone = Pick<Zone, 'id' | 'version' | 'updatedAt'> & {
  readonly createdAt: Timestamp | null;
};

const BEGINS_HERE = { id: null, version: 1, createdAt: null, updatedAt: null };

/** Inserts a new zone and returns it with its creation time. */
export async function insertZone(
  trx: Database,
  zone: NewZone & Pick<Zone, 'recordCount'>,
  earlier?: EarlierZone,
): Promise<Zone> {
  const { attributes } = zone;
  const { rows } = await trx.raw<{ rows: ZoneRow[] }>(
    `insert into dns.domains as d
            (id, tenant_id, name, display_name, email, ttl, description, attributes, serial, record_count, version,
             created_at, updated_at)
     values (coalesce(cast(:id as uuid), gen_random_uuid()), :tenantId, :name, nullif(:displayName, :name), :email, :ttl, :description,
             cast(:attributes as jsonb), :serial, :recordCount, :version,
             coalesce(cast(:createdAt as timestamp) at time zone 'UTC', clock_timestamp()),
             cast(:updatedAt as timestamp) at time zone 'UTC')
     returning ${ZONE_COLUMNS}`,
    {
      ...zone,
      attributes: attributes === undefined ? null : JSON.stringify(attributes),
      ...(earlier ?? BEGINS_HERE),
    },
  );
  const [row] = rows;
  if (row === undefined) throw new Error('insert returned no row');
  return fromRow(row);
}

/** Puts zones into the feed with other serials. */
export async function setSerials(
  trx: Database,
  zones: readonly { readonly id: string; readonly serial: number }[],
): Promise<void> {
  await trx.raw(
    `update dns.domains as d set serial = s.serial, changed_in = pg_current_xact_id()
       from jsonb_to_recordset(?::jsonb) as s (id uuid, serial bigint) where d.id = s.id`,
    [JSON.stringify(zones)],
  );
}

/**
 * Sets the apex records that nameservers return from the zone's next serial on. If `state` is undefined, they are the
 * service's own.
 */
export async function setApexOf(
  trx: Database,
  zoneId: string,
  state: SecondaryState | undefined,
): Promise<void> {
  await trx.raw(
    `update dns.domains as d
        set apex_version = coalesce(cast(? as integer), (select max(v.version) from dns.apex_versions as v))
      where d.id = ?`,
    [state === undefined ? null : APEX_OF_SECONDARY[state], zoneId],
  );
}

/**
 * Locks existing zones with these names, and their records, until the transaction ends. A transaction that has read
 * such a zone without a lock notices that its row has changed, and reads it again.
 */
export async function lockZonesNamed(trx: Database, names: readonly string[]): Promise<void> {
  await trx.raw(
    `with kept as (select d.id from dns.domains as d where d.name = any(?::text[]) and d.deleted_at is null
                    order by d.id for no key update)
     update dns.domains as d set version = d.version from kept where d.id = kept.id`,
    [[...names]],
  );
}

/** Writes the next serial of a locked zone, which puts the zone into the feed. */
export async function writeSerial(
  trx: Database,
  { id, serial }: Pick<ZoneToSign, 'id' | 'serial'>,
): Promise<void> {
  await trx.raw(
    `with zone as (update dns.domains as d set serial = ?, changed_in = pg_current_xact_id() where d.id = ?)
     select pg_notify(?, ?)`,
    [serial, id, CHANNELS.dns, id],
  );
}
