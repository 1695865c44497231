import { createHash } from 'node:crypto';
import { uuidOfDigest } from '@zonewright/service-kit';
import type { RecordFields } from './record.js';
import type { Timestamp } from './statements.js';
import type { Zone } from './zone.js';

/** The records of one name and type as one thing, which Designate calls a recordset and RFC 9499 an RRset. */
export interface Recordset extends RecordsetKey {
  readonly id: string;
  readonly zoneId: string;
  /** Records of users, oldest first. */
  readonly rows: readonly RecordFields[];
  /** Managed records beside them: SOA and NS at the apex. */
  readonly provided: readonly string[];
  /** The lowest of its records; null: all have the zone's. */
  readonly ttl: number | null;
  /** That of its oldest record. */
  readonly description: string | null;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp | null;
}

/** Whether the service provides it, and with that manages it. */
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
  /** Canonical, with trailing dot. */
  readonly name: string;
  readonly type: string;
}

/** The id of a recordset, as the function dns.recordset_id computes it from a row (RFC 9562 s5.8). */
export function recordsetId(zoneId: string, { name, type }: RecordsetKey): string {
  const hash = createHash('sha256')
    .update(Buffer.from(zoneId.replaceAll('-', ''), 'hex'))
    .update(`${name} ${type}`);
  return uuidOfDigest(hash.digest());
}
