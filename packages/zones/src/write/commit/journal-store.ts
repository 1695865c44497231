import { CHANNELS, type Database, type JournalEntry } from '@zonewright/database';
import type { ChangeSource } from '../../request/caller.js';
import { NamedStatement, runParts, statementParts } from '../../rows/statements.js';
import { omitLongValues, toRecordImage } from '../../rows/images.js';
import type { RecordChange } from '../../checks/record-change.js';

/** The author of a change, with request, source and note. */
export interface JournalAuthor {
  readonly userId: string;
  readonly requestId: string;
  readonly source: ChangeSource;
  readonly userName?: string | undefined;
  readonly accessKeyId?: string | undefined;
  readonly note?: string | undefined;
}

/** The properties that the entries of one change have in common. */
export interface JournalContext {
  readonly zoneId: string;
  /** Undefined for the zone's first changeset. */
  readonly serialBefore: number | undefined;
  readonly serialAfter: number;
}

/** Size of an entry with its indexes and without its images, in bytes. */
export const ENTRY_OCTETS = 200;

/**
 * SQL that inserts entries. If an entry lacks a property, the value of the changeset is used. `changed_at` is the
 * time shortly before the commit, because now() is the time when the transaction started, before it waited for locks.
 */
export const insertEntries = (condition = '') => `
  insert into dns.zone_changes
         (domain_id, serial_before, serial_after, action, record_id, before, after, user_id, request_id,
          user_name, access_key_id, source, note, changed_at)
  select coalesce(e.domain_id, cast(:zoneId as uuid)), coalesce(e.serial_before, cast(:serialBefore as bigint)),
         coalesce(e.serial_after, cast(:serialAfter as bigint)), e.action, e.record_id, e.before, e.after,
         coalesce(e.user_id, :userId), coalesce(e.request_id, :requestId), coalesce(e.user_name, :userName),
         coalesce(e.access_key_id, :accessKeyId), coalesce(e.source, :source), coalesce(e.note, :note),
         statement_timestamp()
    from rows from (jsonb_to_recordset(cast(:entries as jsonb))
           as (domain_id uuid, serial_before bigint, serial_after bigint, action text, record_id uuid, before jsonb,
               after jsonb, user_id text, request_id text, user_name text, access_key_id text, source text,
               note text)) with ordinality as e
   ${condition}
   order by e.ordinality`;

/** Wakes the readers of the feed when the transaction commits; PostgreSQL sends equal notifications only once. */
const NOTIFY = 'select pg_notify(:channel, cast(:zoneId as text))';
const APPEND_ENTRIES = new NamedStatement(
  'append-entries',
  `with journal as (${insertEntries()}) ${NOTIFY}`,
);

/** The entries of one changeset that one statement writes. */
interface EntryPart {
  readonly json: string;
  /** Estimated number of bytes that the database writes for the entries. */
  readonly octets: number;
}

export function* entryParts(
  { note }: JournalAuthor,
  entries: Iterable<JournalEntry>,
): Generator<EntryPart, undefined> {
  const entryOctets = ENTRY_OCTETS + Buffer.byteLength(note ?? '');
  for (const { json, rows } of statementParts(entries, toRow)) {
    yield { json, octets: Buffer.byteLength(json) + rows * entryOctets };
  }
}

/** Returns the values of `insertEntries` and NOTIFY, without the entries. */
export function changesetValues(step: JournalContext & JournalAuthor) {
  const { zoneId, serialBefore, serialAfter, ...author } = step;
  const serials = { serialBefore: serialBefore ?? null, serialAfter };
  return { zoneId, ...serials, ...authorColumns(author), channel: CHANNELS.dns };
}

/**
 * Adds the entries of one change in order, and notifies the nameservers. Entries are never changed; retention removes
 * old ones.
 *
 * @returns an estimate of the bytes that the database writes
 */
export async function appendEntries(
  trx: Database,
  step: JournalContext & JournalAuthor,
  parts: Iterable<EntryPart>,
): Promise<number> {
  let written = 0;
  const values = changesetValues(step);
  await runParts(parts, async ({ json, octets }) => {
    await APPEND_ENTRIES.run(trx, { ...values, entries: json });
    written += octets;
  });
  return written;
}

/** Adds one entry for each changeset of many zones. The caller writes the zones' rows and wakes the nameservers. */
export async function appendChangesets(
  trx: Database,
  author: JournalAuthor,
  steps: Iterable<JournalContext & { readonly entry: JournalEntry }>,
): Promise<void> {
  const parts = statementParts(steps, ({ zoneId, serialBefore, serialAfter, entry }) => ({
    ...toRow(entry),
    domain_id: zoneId,
    serial_before: serialBefore,
    serial_after: serialAfter,
  }));
  const statement = insertEntries();
  for (const { json } of parts) {
    const step = { zoneId: null, serialBefore: null, serialAfter: null };
    await trx.raw(statement, { ...step, ...authorColumns(author), entries: json });
  }
}

export function authorColumns({ userId, requestId, source, ...rest }: JournalAuthor) {
  const { userName = null, accessKeyId = null, note = null } = rest;
  return { userId, requestId, source, userName, accessKeyId, note };
}

export function toRow({ action, ...rest }: JournalEntry) {
  const { recordId, ...images } = { recordId: undefined, ...rest };
  return { action, record_id: recordId, ...images };
}

export function toJournalEntry({ before, after }: RecordChange): JournalEntry {
  if (before === undefined) {
    const image = { after: toRecordImage(after) };
    return { action: 'record-create', recordId: after.id, ...omitLongValues(image) };
  }
  const recordId = before.id;
  if (after === undefined) {
    return { action: 'record-delete', recordId, before: toRecordImage(before) };
  }
  const images = { before: toRecordImage(before), after: toRecordImage(after) };
  return { action: 'record-update', recordId, ...omitLongValues(images) };
}
