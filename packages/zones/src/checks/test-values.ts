import { findRecordType, type RecordTypeName } from '@zonewright/dns-records';
import { completeContent, type ZoneRecord } from '../rows/record.js';
import { RECORD_FLAGS } from '../rows/record-flags.js';
import type { LockedZone } from '../rows/zone.js';
import type { RecordChange } from './record-change.js';

let lastId = 0;

/** Returns a record from its text in a zone file, with a unique id. */
export function record(text: string, members: Partial<ZoneRecord> = {}): ZoneRecord {
  const [, name = '', type = '', rest = ''] = /^(\S+) (\S+) (.*)$/s.exec(text) ?? [];
  const [priority, data] = splitPriority(type, rest);
  lastId += 1;
  return {
    ...completeContent({
      name,
      type: type as RecordTypeName,
      data,
      priority: priority === undefined ? null : Number(priority),
      ttl: null,
      description: null,
    }),
    id: `00000000-0000-4000-8000-${String(lastId).padStart(12, '0')}`,
    zoneId: EXAMPLE.id,
    version: 1,
    createdAt: EXAMPLE.now,
    updatedAt: null,
    ...members,
  };
}

function splitPriority(type: string, rest: string): [priority: string | undefined, data: string] {
  if (findRecordType(type)?.needsPriority !== true) return [undefined, rest];
  const [, priority, data = rest] = /^(\d+) (.*)$/.exec(rest) ?? [];
  return [priority, data];
}

/** Returns the record as disabled. */
export function off(served: ZoneRecord): ZoneRecord {
  return { ...served, flags: { ...RECORD_FLAGS.none, disabled: true } };
}

export function change(
  before: ZoneRecord | undefined,
  after: ZoneRecord | undefined,
): RecordChange {
  if (before !== undefined) return { before, after };
  if (after !== undefined) return { before, after };
  throw new Error('The change has no record.');
}

export const EXAMPLE: LockedZone = {
  id: '00000000-0000-4000-8000-00000000000a',
  tenantId: 'project',
  name: 'example.com.',
  displayName: 'example.com.',
  email: 'admin@example.com.',
  ttl: 3_600,
  description: null,
  serial: 1,
  recordCount: 0,
  version: 1,
  createdAt: '2026-01-01T00:00:00.000000',
  updatedAt: null,
  now: '2026-01-02T00:00:00.000000',
  maxRecords: null,
  maxRecordsets: null,
  maxRrsetRecords: null,
  mxTargetCheck: null,
  disabledCount: 0,
  signingState: null,
  secondary: undefined,
};
