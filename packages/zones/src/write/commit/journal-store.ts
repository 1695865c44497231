import { CHANNELS, type Database, type JournalEntry } from '@zonewright/database';
import type { ChangeSource } from '../../request/change-source.js';
import type { Zone } from '../../rows/zone.js';
import type { SigningState } from '../../rows/signing-state.js';
import { deleteRecordsOf } from './record-rows.js';
import { changeRecordOf } from './record-rows.js';
import { insertRecordsOf } from './record-rows.js';
import { statementParts } from '../../sql/statement-parts.js';

/** Author of a change, with request, source and note. */
export interface JournalAuthor {
  readonly userId: string;
  readonly requestId: string;
  readonly source: ChangeSource;
  readonly userName?: string | undefined;
  readonly accessKeyId?: string | undefined;
  readonly note?: string | undefined;
}

/** Properties that the entries of one change have in common. */
export interface JournalStep {
  readonly zoneId: string;
  /** Undefined: the zone begins. */
  readonly serialBefore: number | undefined;
  readonly serialAfter: number;
}

/** Size of an entry without its images, with indexes. */
export const ENTRY_OCTETS = 200;

/** Rows of records that are written in the same statement as a step: one or the other, since the parts of a statement have no order. */
export type StepRecords =
  | { readonly come: string }
  | { readonly changed: string; readonly changedId: string }
  | { readonly gone: readonly string[] };

/** Parts of statements, so that a step costs one round trip. All that can change of a zone, which enters the feed: */
export const UPDATE_ZONE = `
  update dns.domains as d
     set email = :email, ttl = :ttl, description = :description, serial = :serialAfter, record_count = :recordCount,
         version = :version, updated_at = cast(:updatedAt as timestamp) at time zone 'UTC',
         changed_in = pg_current_xact_id()
   where d.id = :zoneId`;

const AUTHOR = {
  'of-all': ':userId, :requestId, :userName, :accessKeyId, :source, :note',
  'of-each': 'e.user_id, e.request_id, e.user_name, e.access_key_id, e.source, e.note',
};

/**
 * The time at which the change is about to be committed: now() is when its transaction began to wait for its locks. `author`: of all
 * entries, or each its own.
 */
export const insertEntries = (author: keyof typeof AUTHOR = 'of-all', condition = '') => `
  insert into dns.zone_changes
         (domain_id, serial_before, serial_after, action, record_id, before, after, user_id, request_id,
          user_name, access_key_id, source, note, changed_at)
  select coalesce(e.domain_id, cast(:zoneId as uuid)), coalesce(e.serial_before, cast(:serialBefore as bigint)),
         coalesce(e.serial_after, cast(:serialAfter as bigint)), e.action, e.record_id, e.before, e.after,
         ${AUTHOR[author]}, statement_timestamp()
    from rows from (jsonb_to_recordset(cast(:entries as jsonb))
           as (domain_id uuid, serial_before bigint, serial_after bigint, action text, record_id uuid, before jsonb,
               after jsonb, user_id text, request_id text, user_name text, access_key_id text, source text,
               note text)) with ordinality as e
   ${condition}
   order by e.ordinality`;

/** Wakes the readers of the feed once the transaction commits; of equal notifications PostgreSQL keeps one. */
export const NOTIFY = 'select pg_notify(:channel, cast(:zoneId as text))';
const SIGNING_STATE = '(select z.state from dns.zone_dnssec as z where z.domain_id = :zoneId)';

/** Result of writing a step. */
interface WrittenStep {
  /** About how many octets it makes the database write. */
  readonly octets: number;
  /** Null: the zone is not signed, or its row was not written. */
  readonly signingState: SigningState | null;
  /** Apex version from this step on; undefined if the row was not written. */
  readonly apexVersion: number | undefined;
}

/** Further parts of the statement that writes a step, and their values beside those of the step. */
interface FurtherParts {
  readonly sql: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly name: string;
}

/**
 * Adds the entries of one change, in their order, and announces it to the nameservers. Nothing changes an
 * entry; retention removes old ones. With `zone` its row is written, too, and those of `records`.
 */
export async function writeStep(
  trx: Database,
  step: JournalStep & JournalAuthor,
  entries: Iterable<JournalEntry>,
  {
    zone,
    records,
    also,
  }: {
    readonly zone?: Zone;
    readonly records?: StepRecords | undefined;
    readonly also?: FurtherParts | undefined;
  } = {},
): Promise<WrittenStep> {
  let rows: StepParts = { zone: zone === undefined ? 'none' : 'zone', records, also };
  const told: ToldOfStep[] = [];
  let octets = 0;
  const entryOctets = ENTRY_OCTETS + Buffer.byteLength(step.note ?? '');
  for (const { json, rows: count } of statementParts(entries, toRow)) {
    const { sql, name } = stepStatement(rows);
    rows = { zone: 'none', records: undefined, also: undefined };
    octets += Buffer.byteLength(json) + count * entryOctets;
    const answer = await trx
      .raw<{ rows: ToldOfStep[] }>(sql, {
        ...zone,
        ...records,
        ...also?.values,
        ...step,
        ...authorColumns(step),
        serialBefore: step.serialBefore ?? null,
        entries: json,
        channel: CHANNELS.dns,
      })
      .options({ name });
    told.push(...answer.rows);
  }
  const [first = {}] = told;
  return { octets, signingState: first.state ?? null, apexVersion: first.apexVersion };
}

interface ToldOfStep {
  readonly state?: SigningState | null;
  readonly apexVersion?: number;
}

/** SQL that updates the zone's row, and the columns that it returns. */
const ZONE_PARTS = {
  none: { update: '', told: '' },
  zone: {
    update: `zone as (${UPDATE_ZONE} returning d.apex_version),`,
    told: `, ${SIGNING_STATE} as state, (select zone.apex_version from zone) as "apexVersion"`,
  },
};

interface StepParts {
  /** Whether the zone's row is written, too. */
  readonly zone: keyof typeof ZONE_PARTS;
  readonly records: StepRecords | undefined;
  readonly also: FurtherParts | undefined;
}

function stepStatement({ zone, records, also }: StepParts): {
  sql: string;
  name: string;
} {
  const rows = records && rowsStatement(records);
  const { update, told } = ZONE_PARTS[zone];
  const parts = [
    rows === undefined ? '' : `records as (${rows.sql}),`,
    update,
    also === undefined ? '' : `${also.sql},`,
    `journal as (${insertEntries()})`,
  ];
  return {
    sql: `with ${parts.join(' ')} ${NOTIFY}${told}`,
    name: ['step', zone, rows?.name ?? 'none', also?.name ?? 'none'].join('-'),
  };
}

function rowsStatement(records: StepRecords): { sql: string; name: string } {
  if ('changed' in records) {
    return { sql: changeRecordOf(':changedId', ':changed'), name: 'changed' };
  }
  if ('gone' in records) return { sql: deleteRecordsOf(':gone', ':zoneId'), name: 'gone' };
  return { sql: insertRecordsOf(':come'), name: 'come' };
}

/** Adds an entry each for steps of many zones. Their rows are written, and the nameservers woken, by the caller. */
export async function appendSteps(
  trx: Database,
  author: JournalAuthor,
  steps: Iterable<JournalStep & { readonly entry: JournalEntry }>,
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
