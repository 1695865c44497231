import { createHash } from 'node:crypto';
import { uuidOfDigest } from '@zonewright/service-kit';
import type { RecordFields } from './record.js';
import type { Timestamp } from './statements.js';
import type { Zone } from './zone.js';

/** The records of one name and type. Designate calls them a recordset, RFC 9499 an RRset. */
export interface Recordset extends RecordsetKey {
  readonly id: string;
  readonly zoneId: string;
  /** Records of users, oldest first. */
  readonly rows: readonly RecordFields[];
  /** Managed records: SOA and NS at the apex. */
  readonly provided: readonly string[];
  /** Lowest TTL of the records. Null if all have the TTL of the zone. */
  readonly ttl: number | null;
  /** Description of the oldest record. */
  readonly description: string | null;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp | null;
}

/** Whether the service manages the recordset. */
export function isManaged({ provided }: Pick<Recordset, 'provided'>): boolean {
  return provided.length > 0;
}

/** Builds a recordset from rows of one name and type. */
export function toRecordset(
  zone: Zone,
  { name, type }: RecordsetKey,
  rows: readonly RecordFields[],
  provided: readonly string[] = [],
): Recordset {
  const created = rows.map(({ createdAt }) => createdAt);
  const updated = rows.flatMap(({ updatedAt }) => updatedAt ?? []);
  return {
    id: recordsetId(zone.id, { name, type }),
    zoneId: zone.id,
    name,
    type,
    rows,
    provided,
    ttl: lowestTtl(rows),
    description: rows[0]?.description ?? null,
    createdAt: provided.length > 0 ? zone.createdAt : (created.toSorted()[0] ?? zone.createdAt),
    updatedAt: updated.toSorted().at(-1) ?? null,
  };
}

function lowestTtl(rows: readonly RecordFields[]): number | null {
  const ttls = rows.flatMap(({ ttl }) => ttl ?? []);
  return ttls.length === 0 ? null : Math.min(...ttls);
}

/** Key of a recordset in a zone: name and type of its records. */
export interface RecordsetKey {
  /** Canonical name with a trailing dot. */
  readonly name: string;
  readonly type: string;
}

/** Returns the id of a recordset, as the function dns.recordset_id computes it from a row (RFC 9562 s5.8). */
export function recordsetId(zoneId: string, { name, type }: RecordsetKey): string {
  const hash = createHash('sha256')
    .update(Buffer.from(zoneId.replaceAll('-', ''), 'hex'))
    .update(`${name} ${type}`);
  return uuidOfDigest(hash.digest());
}
