import { createHash } from 'node:crypto';
import { canonicalRdata, rdataToWire, type RecordTypeName } from '@zonewright/dns-records';
import { RECORD_FLAGS, type RecordFlags } from './record-flags.js';
import type { Timestamp } from './statements.js';

/** A record (DNS API s2). */
export interface ZoneRecord {
  readonly id: string;
  readonly zoneId: string;
  /** Canonical owner name, trailing dot. */
  readonly name: string;
  readonly type: RecordTypeName;
  /** Data as the user wrote it. */
  readonly data: string;
  /** Uncompressed wire form, priority included: what nameservers take. */
  readonly rdata: Buffer;
  /** SHA-256 of the canonical wire form: equal for equal rdata. */
  readonly digest: Buffer;
  /** null: the zone's. */
  readonly ttl: number | null;
  readonly priority: number | null;
  readonly description: string | null;
  /** Undefined: none is set. */
  readonly flags?: RecordFlags | undefined;
  readonly version: number;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp | null;
}

/** Properties of a record that users set, and values derived from them. If `flags` is missing, the record keeps its flags. */
export type RecordContent = Pick<
  ZoneRecord,
  'name' | 'type' | 'data' | 'rdata' | 'digest' | 'ttl' | 'priority' | 'description' | 'flags'
>;

/** Properties of a record that the API shows. */
export type RecordFields = Omit<ZoneRecord, 'rdata' | 'digest'>;

/** Each change of a record gives it another version. */
export function recordEtag(record: ZoneRecord): string {
  return `"${record.version}"`;
}

/** Whether nameservers answer with it, and the rules look at it. */
export function isServed(record: { readonly flags?: RecordFlags | undefined }): boolean {
  return record.flags?.disabled !== true;
}

/** Whether a content is the same as another in every member that is shown and of which it says something. */
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

/** Adds the wire forms to a record's members, which must have passed the checks. */
export function completeContent(members: Omit<RecordContent, 'rdata' | 'digest'>): RecordContent {
  const { type, data, priority } = members;
  const rdata = rdataToWire(type, data, priority);
  return {
    ...members,
    rdata: Buffer.from(rdata),
    digest: createHash('sha256').update(canonicalRdata(type, rdata)).digest(),
  };
}
