import { randomUUID } from 'node:crypto';
import { type Problem, ServiceError } from '@zonewright/service-kit';
import { invalidRecord } from '../request/rules.js';
import { isServed, type RecordContent, type ZoneRecord } from '../rows/record.js';
import { RECORD_FLAGS } from '../rows/record-flags.js';
import type { LockedZone } from '../rows/zone.js';

/** Change of a record with both rows, one of which may be missing. */
export type RecordChange =
  | { readonly before: undefined; readonly after: ZoneRecord }
  | { readonly before: ZoneRecord; readonly after: ZoneRecord | undefined };

/** Returns a change that creates a record. */
export function creation(
  zone: LockedZone,
  content: RecordContent,
): RecordChange & { after: ZoneRecord } {
  return {
    before: undefined,
    // Spreading the content would take most of the time of a large import.
    after: {
      id: randomUUID(),
      zoneId: zone.id,
      name: content.name,
      type: content.type,
      data: content.data,
      rdata: content.rdata,
      digest: content.digest,
      ttl: content.ttl,
      priority: content.priority,
      description: content.description,
      flags: RECORD_FLAGS.some(content.flags),
      version: 1,
      createdAt: zone.now,
      updatedAt: null,
    },
  };
}

/** Returns a change of a record's content. */
export function modification(
  zone: LockedZone,
  before: ZoneRecord,
  content: RecordContent,
): RecordChange & { after: ZoneRecord } {
  return {
    before,
    after: {
      ...before,
      ...content,
      flags: RECORD_FLAGS.some(content.flags ?? before.flags),
      version: before.version + 1,
      updatedAt: zone.now,
    },
  };
}

/** Both sides of a change in the view of nameservers, where a disabled record does not exist. */
export interface ServedChange {
  readonly before: ZoneRecord | undefined;
  readonly after: ZoneRecord | undefined;
}

/**
 * Whether the change may hide or reveal names below its own: names below a delegation or a DNAME record are not in the
 * zone.
 */
export function mayHideNames({ before, after }: RecordChange): boolean {
  return [before, after].some((record) => record?.type === 'NS' || record?.type === 'DNAME');
}

/** Returns the record that the change starts to serve in an RRset. Undefined if the record was served before. */
export function beginning(change: RecordChange): ZoneRecord | undefined {
  const { before, after } = served(change);
  return before?.name === after?.name && before?.type === after?.type ? undefined : after;
}

export function served(change: RecordChange): ServedChange {
  const { before, after } = change;
  if ((before === undefined || isServed(before)) && (after === undefined || isServed(after))) {
    return change;
  }
  return {
    before: before !== undefined && isServed(before) ? before : undefined,
    after: after !== undefined && isServed(after) ? after : undefined,
  };
}

declare const JUDGED: unique symbol;

/** Changes that have passed the checks of their source. No others are written. */
export type JudgedChanges = readonly RecordChange[] & { readonly [JUDGED]: true };

/** Used for a change of only the zone's own members. */
export const NO_CHANGES = [] as unknown as JudgedChanges;

/** Deletions that the service makes itself, to which the rules for users do not apply. */
export function removalsByService(records: readonly ZoneRecord[]): JudgedChanges {
  return records.map((before) => ({ before, after: undefined })) as unknown as JudgedChanges;
}

/** Rule about records that a change violates. */
export interface Violation {
  readonly change: RecordChange;
  /** A change with a warning is made. */
  readonly kind: 'invalid' | 'conflict' | 'warning';
  readonly problem: Problem;
}

export function isWarning({ kind }: Violation): boolean {
  return kind === 'warning';
}

/** @throws ServiceError `invalid` or `conflict` */
export function refuseViolations(violations: readonly Violation[]): void {
  const invalid = violations.filter(({ kind }) => kind === 'invalid');
  if (invalid.length > 0) throw invalidRecord(invalid.map(({ problem }) => problem));
  const conflict = violations.find(({ kind }) => kind === 'conflict');
  if (conflict === undefined) return;
  throw new ServiceError('conflict', conflict.problem.message, {
    details: { subject: 'record', problems: [conflict.problem] },
  });
}
