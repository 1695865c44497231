import { hash } from 'node:crypto';
import { canonicalRdata, rdataToWire, type RecordTypeName } from '@zonewright/dns-records';
import { RECORD_FLAGS, type RecordFlags } from './record-flags.js';
import type { Timestamp } from './statements.js';

/** Record (DNS API s2). */
export interface ZoneRecord {
  readonly id: string;
  readonly zoneId: string;
  /** Canonical owner name with a trailing dot. */
  readonly name: string;
  readonly type: RecordTypeName;
  /** Data in the user's spelling. */
  readonly data: string;
  /** Uncompressed wire form including the priority, as used by nameservers. */
  readonly rdata: Buffer;
  /** SHA-256 of the canonical wire form. It is equal for equal rdata. */
  readonly digest: Buffer;
  /** Null means the TTL of the zone. */
  readonly ttl: number | null;
  readonly priority: number | null;
  readonly description: string | null;
  /** Undefined if no flag is set. */
  readonly flags?: RecordFlags | undefined;
  readonly version: number;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp | null;
}

/**
 * Properties of a record that users set, and values derived from them. If `flags` is missing, the record keeps its
 * flags.
 */
export type RecordContent = Pick<
  ZoneRecord,
  'name' | 'type' | 'data' | 'rdata' | 'digest' | 'ttl' | 'priority' | 'description' | 'flags'
>;

/** Properties of a record in the API. */
export type RecordFields = Omit<ZoneRecord, 'rdata' | 'digest'>;

/** Returns the ETag. Each change of a record increases its version. */
export function recordEtag(record: ZoneRecord): string {
  return `"${record.version}"`;
}

/** Whether nameservers answer with the record, and the rules apply to it. */
export function isServed(record: { readonly flags?: RecordFlags | undefined }): boolean {
  return record.flags?.disabled !== true;
}

/** Whether two contents are equal, without their derived members. Flags are compared only if `other` has them. */
export function isSameContent(one: RecordContent, other: RecordContent): boolean {
  return (
    one.name === other.name &&
    one.type === other.type &&
    one.data === other.data &&
    one.ttl === other.ttl &&
    one.priority === other.priority &&
    one.description === other.description &&
    (other.flags === undefined || RECORD_FLAGS.isSame(one.flags, other.flags))
  );
}

/**
 * Adds the wire forms to a record's members, which must have passed the checks.
 *
 * @param rdata the wire form of the data, if it is already known
 */
export function completeContent(
  { name, type, data, ttl, priority, description, flags }: Omit<RecordContent, 'rdata' | 'digest'>,
  rdata = rdataToWire(type, data, priority),
): RecordContent {
  // A Hash object for each record of a large file would cause most of the garbage, and a buffer outside the pool more.
  const digest = hash('sha256', canonicalRdata(type, rdata), 'binary');
  return {
    name,
    type,
    data,
    ttl,
    priority,
    description,
    flags,
    rdata: Buffer.from(rdata),
    digest: Buffer.from(digest, 'binary'),
  };
}
