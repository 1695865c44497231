import type { Database } from '@zonewright/database';
import { readSignedZone, shapeOfSigned } from '../support/signed-zone.js';

/** A record that is served or disabled. */
export interface Row {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly data: string;
  readonly ttl: number | null;
  readonly priority: number | null;
  readonly description: string | null;
  readonly version: number;
  readonly flags: unknown;
  readonly isOff: boolean;
}

interface Image extends Omit<Row, 'isOff' | 'flags'> {
  readonly data_octets?: number;
  readonly data_is_kept?: boolean;
  readonly disabled?: boolean;
  readonly expires_at?: string | null;
  readonly tags?: readonly string[];
}

/** An entry of the journal. */
export interface Entry {
  readonly action: string;
  readonly request_id: string;
  readonly user_id: string;
  readonly serial_before: number | null;
  readonly serial_after: number;
  readonly record_id: string | null;
  readonly before: Image | null;
  readonly after: Image | null;
}

/** Returns all records of a zone in an order that depends only on their content. */
export async function readRows(db: Database, zoneId: string): Promise<Row[]> {
  const columns =
    'r.id, r.name, r.type, r.data, r.ttl, r.priority, r.description, r.version, r.flags';
  const { rows } = await db.raw<{ rows: Row[] }>(
    `select * from (
       select ${columns}, false as "isOff" from dns.records as r where r.domain_id = :zoneId
       union all
       select ${columns}, true from dns.disabled_records as r where r.domain_id = :zoneId) as r
      order by r.name, r.type, r.data, r."isOff", r.version`,
    { zoneId },
  );
  return rows;
}

export async function readEntries(db: Database, zoneId: string): Promise<Entry[]> {
  const { rows } = await db.raw<{ rows: Entry[] }>(
    `select c.action, c.request_id, c.user_id, c.serial_before, c.serial_after, c.record_id, c.before, c.after
       from dns.zone_changes as c where c.domain_id = ? order by c.id`,
    [zoneId],
  );
  return rows;
}

/**
 * All data of a zone that is equal after two equal histories: without ids and times, and with serials by their rank.
 */
export interface ZoneState {
  readonly rows: readonly unknown[];
  readonly journal: readonly unknown[];
  readonly counts: unknown;
  readonly signed: readonly string[];
}

export async function readState(
  db: Database,
  { id, name }: { readonly id: string; readonly name: string },
  toCommon: (text: string) => string,
): Promise<ZoneState> {
  const entries = await readEntries(db, id);
  const serials = [...new Set(entries.map((each) => each.serial_after))];
  const { rows: counts } = await db.raw<{ rows: object[] }>(
    'select d.record_count, d.ttl, d.email, d.deleted_at is null as "isThere" from dns.domains as d where d.id = ?',
    [id],
  );
  const state = {
    rows: (await readRows(db, id)).map(withoutId),
    // The order of entries in one step has no meaning.
    journal: serials.map((serial) =>
      entries
        .filter((each) => each.serial_after === serial)
        .map(({ action, before, after, user_id: user }) =>
          JSON.stringify({ action, user, before: contentOf(before), after: contentOf(after) }),
        )
        .sort(),
    ),
    counts: counts[0],
    signed: shapeOfSigned(await readSignedZone(db, name), name),
  };
  return JSON.parse(toCommon(JSON.stringify(state))) as ZoneState;
}

function contentOf(image: Image | null): unknown {
  if (image === null) return null;
  const {
    id: _id,
    created_at: _c,
    updated_at: _u,
    ...content
  } = image as Image & {
    created_at: string;
    updated_at: string;
  };
  return content;
}

/** Returns sentences about data that a zone cannot have if only users and the service have written it. */
export async function findBroken(db: Database, zone: { readonly id: string }): Promise<string[]> {
  const rows = await readRows(db, zone.id);
  const served = rows.filter(({ isOff }) => !isOff);
  const { rows: counted } = await db.raw<{ rows: { count: number }[] }>(
    'select d.record_count as count from dns.domains as d where d.id = ?',
    [zone.id],
  );
  const count = counted[0]?.count;
  return [
    ...(count === served.length ? [] : [`${served.length} are served, and ${count} are counted`]),
    ...served.flatMap((row) => (isPossible(row, served) ? [] : [`${row.name} ${row.type}`])),
    ...differencesOf(replayed(await readEntries(db, zone.id)), rows),
  ];
}

/**
 * Returns whether a record is possible: a CNAME is alone, a DS has NS records beside it, a wildcard is not delegated,
 * and the SOA is the service's.
 */
function isPossible({ name, type }: Row, served: readonly Row[]): boolean {
  const here = served.filter((each) => each.name === name);
  switch (type) {
    case 'CNAME':
      return here.length === 1;
    case 'DS':
      return here.some((each) => each.type === 'NS');
    case 'NS':
      return !name.startsWith('*');
    default:
      return type !== 'SOA';
  }
}

export function withoutId({ id: _id, ...row }: Row): Omit<Row, 'id'> {
  return row;
}

/** Returns the records that exist according to the journal, by id. */
function replayed(entries: readonly Entry[]): Map<string, Image> {
  const images = new Map<string, Image>();
  for (const { record_id: id, before, after } of entries) {
    if (id === null) continue;
    const known = images.get(id);
    if ((known === undefined) !== (before === null)) {
      throw new Error(
        `The journal changes ${id} from ${JSON.stringify(before)}, which is not its state.`,
      );
    }
    if (after === null) images.delete(id);
    else images.set(id, { ...after, ...(after.data_is_kept ? { data: known?.data ?? '' } : {}) });
  }
  return images;
}

function differencesOf(images: ReadonlyMap<string, Image>, rows: readonly Row[]): string[] {
  const ofJournal = [...images.values()].map((image) => ({
    ...shownOf(image),
    isOff: image.disabled ?? false,
    octets: image.data_octets ?? Buffer.byteLength(image.data),
  }));
  const stored = rows.map((row) => ({
    ...shownOf(row),
    isOff: row.isOff,
    octets: Buffer.byteLength(row.data),
  }));
  const lines = (all: readonly object[]) => all.map((each) => JSON.stringify(each)).sort();
  const [one, other] = [lines(ofJournal), lines(stored)];
  return [
    ...one.filter((line) => !other.includes(line)).map((line) => `only in the journal: ${line}`),
    ...other.filter((line) => !one.includes(line)).map((line) => `not in the journal: ${line}`),
  ];
}

function shownOf({ id, name, type, ttl, priority, description, version }: Omit<Image, 'data'>) {
  return { id, name, type, ttl, priority, description, version };
}
