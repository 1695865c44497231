import { canonicalOwnerName, toRelativeName } from '../names/owner-names.js';
import { rdataFromWire, rdataToWire } from '../rdata/rdata.js';

/** A record to be written; its `ttl` is null where the zone's `defaultTtl` holds. */
export interface ZoneTextSource {
  readonly ownerName: string;
  readonly type: string;
  readonly ttl: number | null;
  readonly data: string;
  readonly priority: number | null;
}

/** A zone to write. If other servers shall load it, the SOA must be the first record. */
export interface ZoneToFormat {
  readonly origin: string;
  /** In seconds. */
  readonly defaultTtl: number;
  readonly records: Iterable<ZoneTextSource>;
}

/** A zone file that BIND, NSD and Knot load and that parseZoneText reads back. Throws DnsSyntaxError. */
export function formatZoneText(zone: ZoneToFormat): string {
  return [...formatZoneLines(zone)].join('');
}

/** formatZoneText line by line, each with its newline, for zones that are better not held whole. */
export function* formatZoneLines(zone: ZoneToFormat): Generator<string> {
  const origin = canonicalOwnerName(zone.origin);
  yield `$ORIGIN ${origin}\n`;
  yield `$TTL ${zone.defaultTtl}\n`;
  for (const record of zone.records) {
    yield formatZoneRecord(record, origin);
  }
}

/** The line of one record, with its newline, under a canonical `origin`. Throws DnsSyntaxError. */
export function formatZoneRecord(record: ZoneTextSource, origin: string): string {
  // Through the wire form, since free text and letters outside ASCII must not reach a zone file.
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
