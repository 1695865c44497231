import type { Database } from '@zonewright/database';

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

/** Some megabytes of JSON: a statement that neither side minds. */
const ENTRIES_PER_STATEMENT = 5_000;

/** Adds the entries of one change, in their order. Nothing ever changes or removes one. */
export async function appendToJournal(
  trx: Database,
  step: JournalStep,
  entries: readonly JournalEntry[],
): Promise<void> {
  for (let from = 0; from < entries.length; from += ENTRIES_PER_STATEMENT) {
    const part = entries.slice(from, from + ENTRIES_PER_STATEMENT);
    await trx.raw(
      `insert into dns.zone_changes
         (domain_id, serial_before, serial_after, action, record_id, before, after, user_id, request_id)
       select :zoneId, :serialBefore, :serialAfter, e.action, e.record_id, e.before, e.after, :userId, :requestId
         from rows from (jsonb_to_recordset(cast(:entries as jsonb))
                as (action text, record_id uuid, before jsonb, after jsonb)) with ordinality as e
        order by e.ordinality`,
      {
        ...step,
        serialBefore: step.serialBefore ?? null,
        entries: JSON.stringify(
          part.map(({ action, recordId, before, after }) => ({
            action,
            record_id: recordId,
            before,
            after,
          })),
        ),
      },
    );
  }
}
