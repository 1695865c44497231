import { canonicalOwnerName, toRelativeName } from '../names/owner-names.js';
import { rdataFromWire, rdataToWire } from '../rdata/rdata.js';

/** Record to write. Its `ttl` is null if the `defaultTtl` of the zone applies. */
export interface ZoneTextSource {
  readonly ownerName: string;
  readonly type: string;
  readonly ttl: number | null;
  readonly data: string;
  readonly priority: number | null;
}

/** Zone to write. For other servers, the SOA must be the first record. */
export interface ZoneToFormat {
  readonly origin: string;
  /** Default TTL in seconds. */
  readonly defaultTtl: number;
  readonly records: Iterable<ZoneTextSource>;
}

/** Returns a zone file that BIND, NSD and Knot can load and parseZoneText reads back. @throws DnsSyntaxError */
export function formatZoneText(zone: ZoneToFormat): string {
  return [...formatZoneLines(zone)].join('');
}

/** Yields the lines of formatZoneText with their newlines, for zones that are too large to be kept in memory. */
export function* formatZoneLines(zone: ZoneToFormat): Generator<string> {
  const origin = canonicalOwnerName(zone.origin);
  yield `$ORIGIN ${origin}\n`;
  yield `$TTL ${zone.defaultTtl}\n`;
  for (const record of zone.records) {
    yield formatZoneRecord(record, origin);
  }
}

/** Returns the line of one record with its newline, relative to a canonical `origin`. @throws DnsSyntaxError */
export function formatZoneRecord(record: ZoneTextSource, origin: string): string {
  // Converted through the wire form, since free text and letters outside ASCII must not get into a zone file.
  const wire = rdataToWire(record.type, record.data, record.priority);
  const { data, priority } = rdataFromWire(record.type, wire);
  const fields = [
    toRelativeName(canonicalOwnerName(record.ownerName), origin),
    record.ttl,
    'IN',
    record.type,
    priority,
    data,
  ];
  return `${fields.filter((field) => field !== null).join('\t')}\n`;
}
