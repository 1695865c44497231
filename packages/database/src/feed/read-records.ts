import type { Database } from '../connection/connection.js';
import { readInOrder, readRows, ROWS_AT_ONCE } from './read-rows.js';

/** A record in the form that a nameserver reads. */
export interface FeedRecord {
  readonly domainId: string;
  /** The canonical owner name as text. */
  readonly name: string;
  readonly type: string;
  /** Null if the record uses the zone's default. */
  readonly ttl: number | null;
  /** The uncompressed wire form. */
  readonly rdata: Buffer;
}

/**
 * The approximate number of rows per query: few enough for PostgreSQL to read them from an index in order instead of
 * sorting them.
 */
const RECORDS_A_QUERY = 20_000;

const SELECT =
  'select r.domain_id as "domainId", r.name, r.type, r.ttl, r.rdata from dns.records as r';
const ORDER = 'order by r.domain_id, r.name, r.type, r.rdata_digest';
const OF_DOMAINS = `${SELECT} where r.domain_id = any(?::uuid[]) ${ORDER}`;
const OF_DOMAIN = `${SELECT} where r.domain_id = ?::uuid ${ORDER}`;
const AT_NAMES = `${SELECT} where r.domain_id = ?::uuid and r.name = any(?::text[]) ${ORDER}`;

/** Reads the records of the given domains in batches; `sizes` contains the number of records of each. */
export async function* readRecords(
  trx: Database,
  domainIds: readonly string[],
  sizes: ReadonlyMap<string, number>,
): AsyncGenerator<readonly FeedRecord[], void> {
  for (const { ids, records } of groupsOf(domainIds, sizes)) {
    if (records > RECORDS_A_QUERY && ids.length === 1) {
      yield* readInOrder<FeedRecord>(trx, OF_DOMAIN, ids);
    } else if (records > ROWS_AT_ONCE) {
      yield* readRows<FeedRecord>(trx, OF_DOMAINS, [ids]);
    } else {
      const { rows } = await trx
        .raw<{ rows: FeedRecord[] }>(OF_DOMAINS, [ids])
        .options({ name: 'feed-records' });
      if (rows.length > 0) yield rows;
    }
  }
}

export async function readRecordsAt(
  trx: Database,
  domainId: string,
  names: string[],
): Promise<FeedRecord[]> {
  const { rows } = await trx.raw<{ rows: FeedRecord[] }>(AT_NAMES, [domainId, names]);
  return rows;
}

interface DomainGroup {
  readonly ids: string[];
  records: number;
}

function* groupsOf(
  domainIds: readonly string[],
  sizes: ReadonlyMap<string, number>,
): Iterable<DomainGroup> {
  let group: DomainGroup = { ids: [], records: 0 };
  for (const id of domainIds) {
    const size = sizes.get(id) ?? 0;
    if (group.ids.length > 0 && group.records + size > RECORDS_A_QUERY) {
      yield group;
      group = { ids: [], records: 0 };
    }
    group.ids.push(id);
    // Even a zone without records adds an element to the array.
    group.records += size + 1;
  }
  if (group.ids.length > 0) yield group;
}
