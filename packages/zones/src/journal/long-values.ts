import type { Database } from '@zonewright/database';
import type { RowImage } from './journal-store.js';

/**
 * Data of more octets than this stands in the journal once: in the image `before` of the change that took it away. Until
 * then the record itself has it. So a change costs what it replaces, whatever it puts in its place.
 */
const LONG_OCTETS = 1_024;

/** What stands in an image in the place of long data; `data_is_kept`: the change left it as it was. */
type Absent = { readonly data_octets: number; readonly data_is_kept?: true };

const ABSENT_MEMBERS: ReadonlySet<string> = new Set<keyof Absent>(['data_octets', 'data_is_kept']);

/** The images of a change of a record, without long data that can be found elsewhere. */
export function omitLongValues<Images extends { before?: RowImage; after?: RowImage }>(
  images: Images,
): Images {
  const { before, after } = images;
  if (after === undefined || !isLong(after)) return images;
  if (before === undefined || before['data'] !== after['data'])
    return { ...images, after: withoutData(after) };
  return {
    ...images,
    before: withoutData(before),
    after: { ...withoutData(after), data_is_kept: true },
  };
}

function isLong({ data }: RowImage): boolean {
  return typeof data === 'string' && Buffer.byteLength(data) > LONG_OCTETS;
}

function withoutData({ data, ...rest }: RowImage): RowImage {
  const absent: Absent = { data_octets: Buffer.byteLength(data as string) };
  return { ...rest, ...absent };
}

/** A change as it stands in the journal, as far as this matters here. */
interface StoredChange {
  readonly id: number;
  readonly recordId: string | null;
  readonly before: RowImage | null;
  readonly after: RowImage | null;
}

/** The same changes of a zone with the long data that their images lack, all of them since `serial`. */
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

function lacksData(image: RowImage | null): boolean {
  return image?.['data_octets'] !== undefined;
}

function complete(image: RowImage | null, data: string | undefined): RowImage | null {
  if (image === null || !lacksData(image)) return image;
  const members = Object.entries(image).filter(([member]) => !ABSENT_MEMBERS.has(member));
  return { ...Object.fromEntries(members), data };
}

/**
 * What a change left behind is in the image before of the next change of that record that did not keep it, and in the
 * record itself if there is none. Only images after are looked into on the way: they are short.
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
