import type { Database, RecordImage, ZoneImage } from '@zonewright/database';
import { type ZoneRecord } from './record.js';
import { RECORD_FLAGS } from './record-flags.js';
import type { Zone } from './zone.js';

export function toRecordImage(record: ZoneRecord): RecordImage & { readonly data: string } {
  return {
    id: record.id,
    name: record.name,
    type: record.type,
    data: record.data,
    ttl: record.ttl,
    priority: record.priority,
    description: record.description,
    version: record.version,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
    ...(record.flags === undefined ? {} : RECORD_FLAGS.toMembers(record.flags)),
  };
}

export function toZoneImage(zone: Zone): ZoneImage {
  return {
    id: zone.id,
    tenant_id: zone.tenantId,
    name: zone.name,
    ...(zone.displayName === zone.name ? {} : { display_name: zone.displayName }),
    email: zone.email,
    ttl: zone.ttl,
    description: zone.description,
    created_at: zone.createdAt,
    updated_at: zone.updatedAt,
  };
}

/**
 * Size above which the journal stores data only once: in the image `before` of the change that removed it. Until then,
 * the record itself contains the data. The cost of a change therefore depends on the data that it replaces, not on the
 * new data.
 */
const LONG_OCTETS = 1_024;

/** Members that replace long data in an image. */
const OF_ABSENCE: ReadonlySet<string> = new Set<keyof RecordImage>(['data_octets', 'data_is_kept']);

/** Returns the images of a change without long data that is stored elsewhere. */
export function omitLongValues<Images extends { before?: RecordImage; after: RecordImage }>(
  images: Images,
): Images {
  const { before, after } = images;
  // dns.records does not contain the data of a disabled record.
  if (!isLong(after) || after.disabled === true || before?.disabled === true) return images;
  if (before === undefined || before.data !== after.data)
    return { ...images, after: withoutData(after) };
  return {
    ...images,
    before: withoutData(before),
    after: { ...withoutData(after), data_is_kept: true },
  };
}

function isLong({ data }: RecordImage): boolean {
  return data !== undefined && Buffer.byteLength(data) > LONG_OCTETS;
}

function withoutData({ data = '', ...rest }: RecordImage): RecordImage {
  return { ...rest, data_octets: Buffer.byteLength(data) };
}

type Image = ZoneImage | RecordImage;

/** Properties of a change in the journal that are needed here. */
interface StoredChange {
  readonly id: number;
  readonly recordId: string | null;
  readonly before: Image | null;
  readonly after: Image | null;
}

/** Adds the missing long data to changes of a zone. The list must contain all changes since `serial`. */
export async function completeImages<Change extends StoredChange>(
  db: Database,
  changes: readonly Change[],
  zone: { readonly id: string; readonly serial: number },
): Promise<Change[]> {
  const lacking = changes.filter(({ before, after }) => lacksData(before) || lacksData(after));
  if (lacking.length === 0) return [...changes];
  const values = await findValues(db, zone, lacking);
  return changes.map((change) => ({
    ...change,
    before: complete(change.before, values.get(change.id)),
    after: complete(change.after, values.get(change.id)),
  }));
}

function lacksData(image: Image | null): boolean {
  return absentOctets(image) !== undefined;
}

/** Returns the length of data that is stored elsewhere. Undefined if there is none. */
export function absentOctets(image: Image | null): number | undefined {
  return image !== null && 'data_octets' in image ? image.data_octets : undefined;
}

function complete<T extends Image>(image: T | null, data: string | undefined): T | null {
  if (image === null || !lacksData(image)) return image;
  const members = Object.entries(image).filter(([member]) => !OF_ABSENCE.has(member));
  return { ...Object.fromEntries(members), data } as unknown as T;
}

/**
 * Finds the omitted long data. It is in the image `before` of the next change that replaced it. If there is no such
 * change, the record itself contains the data. Only images `after` are read on the way, which are short.
 */
async function findValues(
  db: Database,
  zone: { readonly id: string; readonly serial: number },
  changes: readonly StoredChange[],
): Promise<ReadonlyMap<number, string>> {
  const { rows } = await db.raw<{ rows: { id: number; data: string }[] }>(
    `with changes as (
       select c.id, c.record_id,
              min(c.id) filter (where (c.after -> 'data_is_kept') is null)
                over (partition by c.record_id order by c.id rows between 1 following and unbounded following) as holder
         from dns.zone_changes as c
        where c.domain_id = :zone and c.serial_after >= :serial and c.record_id = any(cast(:records as uuid[])))
     select changes.id, coalesce(h.before ->> 'data', r.data) as data
       from changes
       left join dns.zone_changes as h on h.id = changes.holder
       left join dns.records as r on r.id = changes.record_id and changes.holder is null
      where changes.id = any(cast(:ids as bigint[]))`,
    {
      zone: zone.id,
      serial: zone.serial,
      records: [...new Set(changes.map(({ recordId }) => recordId))] as string[],
      ids: changes.map(({ id }) => id),
    },
  );
  return new Map(rows.map(({ id, data }) => [id, data]));
}
