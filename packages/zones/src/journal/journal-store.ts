import { CHANNELS, type Database } from '@zonewright/database';
import type { Zone } from '../domains/zone.js';
import { statementParts } from '../sql/statement-parts.js';

/** What happened to a zone or to one of its records. */
export type JournalAction =
  | 'domain-create'
  | 'domain-update'
  | 'domain-delete'
  | 'domain-undelete'
  | 'record-create'
  | 'record-update'
  | 'record-delete';

/** A row as the journal keeps it: JSON with the names of the columns. */
export type RowImage = Readonly<Record<string, unknown>>;

export interface JournalEntry {
  readonly action: JournalAction;
  readonly recordId?: string;
  readonly before?: RowImage;
  readonly after?: RowImage;
}

/** What the entries of one change have in common. */
export interface JournalStep {
  readonly zoneId: string;
  /** Undefined: the zone begins. */
  readonly serialBefore: number | undefined;
  readonly serialAfter: number;
  readonly userId: string;
  readonly requestId: string;
}

/** Of an entry beside its images, with indexes. */
const ENTRY_OCTETS = 200;

/** Parts of statements, so that a step costs one round trip. All that can change of a zone, which enters the feed: */
const UPDATE_ZONE = `
  update dns.domains as d
     set email = :email, ttl = :ttl, description = :description, serial = :serialAfter, record_count = :recordCount,
         version = :version, updated_at = cast(:updatedAt as timestamp) at time zone 'UTC',
         changed_in = pg_current_xact_id()
   where d.id = :zoneId`;

/** The time at which the change is about to be committed: now() is when its transaction began to wait for its locks. */
const INSERT_ENTRIES = `
  insert into dns.zone_changes
         (domain_id, serial_before, serial_after, action, record_id, before, after, user_id, request_id, changed_at)
  select :zoneId, :serialBefore, :serialAfter, e.action, e.record_id, e.before, e.after, :userId, :requestId,
         statement_timestamp()
    from rows from (jsonb_to_recordset(cast(:entries as jsonb))
           as (action text, record_id uuid, before jsonb, after jsonb)) with ordinality as e
   order by e.ordinality`;

/** Wakes the readers of the feed once the transaction commits; of equal notifications PostgreSQL keeps one. */
const NOTIFY = 'select pg_notify(:channel, cast(:zoneId as text))';

/**
 * Adds the entries of one change, in their order, and announces it to the nameservers. Nothing changes an
 * entry; retention removes old ones. With `zone` its row is written, too.
 *
 * @returns about how many octets it makes the database write
 */
export async function writeStep(
  trx: Database,
  step: JournalStep,
  entries: Iterable<JournalEntry>,
  zone?: Zone,
): Promise<number> {
  let octets = 0;
  let isFirst = true;
  for (const { json, rows } of statementParts(entries, toRow)) {
    const writesZone = zone !== undefined && isFirst;
    isFirst = false;
    octets += Buffer.byteLength(json) + rows * ENTRY_OCTETS;
    await trx
      .raw(
        `with ${writesZone ? `zone as (${UPDATE_ZONE}),` : ''} journal as (${INSERT_ENTRIES}) ${NOTIFY}`,
        {
          ...zone,
          ...step,
          serialBefore: step.serialBefore ?? null,
          entries: json,
          channel: CHANNELS.dns,
        },
      )
      .options({ name: writesZone ? 'step-zone' : 'append-to-journal' });
  }
  return octets;
}

function toRow({ action, recordId, before, after }: JournalEntry) {
  return { action, record_id: recordId, before, after };
}
