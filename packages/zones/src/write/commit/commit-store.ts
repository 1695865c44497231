import { CHANNELS, type Database, errorCode, queryRow, SQLSTATE } from '@zonewright/database';
import {
  authorColumns,
  ENTRY_OCTETS,
  insertEntries,
  type JournalAuthor,
  type JournalContext,
  NOTIFY,
  type changesetValues,
  toJournalEntry,
  toRow,
} from './journal-store.js';
import { insertRecordsOf, octetsOf, recordParts, type RowChanges } from './record-rows.js';
import type { RecordChange } from '../../checks/record-change.js';
import type { SigningState } from '../../rows/signing-state.js';
import type { Zone } from '../../rows/zone.js';
import { signedChangeSql, type SignedChangeValues } from '../../signing/signed-name-store.js';
import { NamedStatement } from '../../rows/statements.js';

/** One step of the serial, of several that are written together: its entries in the journal, as JSON. */
export type ChangeEntries = readonly string[];

/** Response to an update, under its idempotency key. */
export interface AnsweredUpdate {
  readonly tenantId: string;
  readonly key: string;
  readonly requestDigest: Buffer;
  readonly reply: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
}

/** Steps of one zone that one statement writes. */
interface Commit {
  /** The zone after all steps. */
  readonly zone: Zone;
  /** Version of the zone's row at the check; undefined if the transaction has locked the row. */
  readonly rowVersion?: string;
  /** Values of the step that its entries do not have. */
  readonly step?: ReturnType<typeof changesetValues>;
  /** Entries in the journal, as JSON. */
  readonly entries: string;
  readonly rows: RowChanges;
  readonly answered?: readonly AnsweredUpdate[];
  /** Undefined: the zone is not signed, or is signed when this is written. */
  readonly signed?: SignedRows | undefined;
}

/**
 * Result of all steps of a signed zone, as in signedChangeSql, with what must still be true. `signingVersion` is the version of the row
 * with the signing state; a change of keys changes this row or the zone's. `apexVersion` is that of the apex records that the service
 * provides.
 */
export type SignedRows = SignedChangeValues['values'] & {
  readonly serialBefore: number;
  readonly signingState: SigningState;
  readonly signingVersion?: string;
  readonly apexVersion: number;
};

/** State of signing as it is when the step is written; null if the zone is not signed. */
interface Committed {
  readonly signingState: SigningState | null;
}

const INSERT_ANSWERS = `
  insert into dns.idempotency_keys (tenant_id, idempotency_key, request_digest, status, headers, body)
  select k."tenantId", k.key, decode(k.digest, 'hex'), k.status, k.headers, k.body
    from jsonb_to_recordset(cast(:answered as jsonb))
         as k ("tenantId" text, key text, digest text, status integer, headers jsonb, body text)`;
/** Another process may have kept the answer to the same message: neither of them changed the zone, so both answers are equal. */
const UNLESS_KEPT = 'on conflict (tenant_id, idempotency_key) do nothing';
const KEEP_ANSWERS = new NamedStatement('keep-answers', `${INSERT_ANSWERS} ${UNLESS_KEPT}`);

/** Size of a stored response without its body. */
const KEPT_OCTETS = 500;

/**
 * Condition for writing: the zone is unchanged, and no zone below it is new. Its row is locked first. If another transaction has
 * locked it, this one does not wait: the client may have been told meanwhile that nothing was done. A transaction that holds the zone
 * has no version to compare. Rows are deleted before equal ones are inserted. The rows were read as this zone's, so the id is enough,
 * and the index by id is always used.
 */
const HAS_ZONE = 'exists (select 1 from zone)';
const IF_ZONE = `where ${HAS_ZONE}`;
const HELD = {
  unsigned: `from dns.domains as d where d.id = :zoneId`,
  signed: `from dns.domains as d join dns.zone_dnssec as z on z.domain_id = d.id
                 where d.id = :zoneId and z.state = :signingState and coalesce(z.xmin = cast(:signingVersion as xid), true)`,
};
const UPDATE_ZONE = `
  update dns.domains as d
     set email = :email, ttl = :ttl, description = :description, serial = :serialAfter, record_count = :recordCount,
         version = :version, updated_at = cast(:updatedAt as timestamp) at time zone 'UTC',
         changed_in = pg_current_xact_id()
   where d.id = :zoneId and exists (select 1 from held)`;
const SIGNING_STATE = `, (select z.state from dns.zone_dnssec as z where z.domain_id = :zoneId) as "signingState"`;
/** Division by zero where something else is provided at the apex, which only the row as it is written tells: all of it is undone. */
const AS_SIGNED =
  ', 1 / cast(zone.apex_version is not distinct from cast(:apexVersion as integer) as integer)';
const allOf = (isSigned: boolean) => `
  with held as (select d.id ${isSigned ? HELD.signed : HELD.unsigned}
                   and coalesce(d.xmin = cast(:rowVersion as xid), true) and d.tenant_id = :ownerId and d.deleted_at is null
                   for no key update skip locked),
       zone as (${UPDATE_ZONE} returning d.id${isSigned ? ', d.apex_version' : ''}),
       gone as (delete from dns.records as r where r.id = any(cast(:gone as uuid[])) and ${HAS_ZONE} returning r.id),
       records as (${insertRecordsOf(':come')} ${IF_ZONE} and (select count(*) from gone) >= 0),
       journal as (${insertEntries(IF_ZONE)}),
       ${isSigned ? `${signedChangeSql(HAS_ZONE)},` : ''}
       answers as (${INSERT_ANSWERS} ${IF_ZONE} ${UNLESS_KEPT})
  ${NOTIFY}${SIGNING_STATE}${isSigned ? AS_SIGNED : ''} from zone`;
const COMMIT = new NamedStatement('commit', allOf(false));
const COMMIT_SIGNED = new NamedStatement('commit-signed', allOf(true));

/**
 * Writes steps of one zone, few enough for one statement.
 *
 * @returns undefined if the zone, or how it is signed, has changed meanwhile; a transaction cannot go on then
 */
export async function commitChanges(
  db: Database,
  { zone, rowVersion, step, entries, rows, answered = [], signed }: Commit,
  beforeWrite?: () => void,
): Promise<Committed | undefined> {
  const statement = signed === undefined ? COMMIT : COMMIT_SIGNED;
  const { email, ttl, description, recordCount, version, updatedAt, tenantId } = zone;
  const values = {
    ...{ email, ttl, description, recordCount, version, updatedAt },
    ...step,
    ...signed,
    ownerId: tenantId,
    zoneId: zone.id,
    serialAfter: zone.serial,
    rowVersion: rowVersion ?? null,
    gone: rows.gone.map(({ id }) => id),
    come: `[${Array.from(recordParts(rows.come), ({ json }) => json.slice(1, -1)).join(',')}]`,
    entries,
    answered: JSON.stringify(answered.map(toAnswerRow)),
    channel: CHANNELS.dns,
  };
  try {
    const [committed] = await statement.run<Committed>(db, values, beforeWrite);
    return committed;
  } catch (error) {
    if (signed !== undefined && errorCode(error) === SQLSTATE.divisionByZero) return undefined;
    throw error;
  }
}

/** The answer that was given to a key, and to which request. */
type KeptAnswer = Pick<AnsweredUpdate, 'requestDigest' | 'reply'> & {
  /** The transaction that gave it. */
  readonly givenIn: string | undefined;
};

type KeptAnswerRow = Pick<AnsweredUpdate, 'requestDigest'> &
  AnsweredUpdate['reply'] & { readonly givenIn: string | null };

export async function findStoredResponse(
  trx: Database,
  tenantId: string,
  key: string,
): Promise<KeptAnswer | undefined> {
  const row = await queryRow<KeptAnswerRow>(
    trx,
    `select k.request_digest as "requestDigest", k.status, k.headers, k.body, k.changed_in::text as "givenIn"
       from dns.idempotency_keys as k
      where k.tenant_id = ? and k.idempotency_key = ?`,
    [tenantId, key],
  );
  if (row === undefined) return undefined;
  const { requestDigest, givenIn, ...reply } = row;
  return { requestDigest, reply, givenIn: givenIn ?? undefined };
}

/** Stores responses that no commit stores. */
export async function storeResponses(
  db: Database,
  answered: readonly AnsweredUpdate[],
  beforeWrite?: () => void,
): Promise<void> {
  const values = { answered: JSON.stringify(answered.map(toAnswerRow)) };
  await KEEP_ANSWERS.run(db, values, beforeWrite);
}

/** About how many octets the database writes for them. */
export function changeOctets(step: ChangeEntries, changes: readonly RecordChange[]): number {
  const entries = step.reduce((sum, entry) => sum + entry.length + ENTRY_OCTETS, 0);
  return entries + octetsOf(changes.flatMap(({ after }) => after ?? []));
}

export function answerOctets({ reply: { body } }: AnsweredUpdate): number {
  return KEPT_OCTETS + body.length;
}

export function toChangeEntries(
  { serialBefore, serialAfter }: Omit<JournalContext, 'zoneId'>,
  author: JournalAuthor,
  changes: readonly RecordChange[],
): ChangeEntries {
  const { userId, requestId, userName, accessKeyId, source, note } = authorColumns(author);
  const step = {
    ...{ serial_before: serialBefore, serial_after: serialAfter, user_id: userId },
    ...{ request_id: requestId, user_name: userName, access_key_id: accessKeyId, source, note },
  };
  return changes.map((change) => JSON.stringify({ ...toRow(toJournalEntry(change)), ...step }));
}

function toAnswerRow({ tenantId, key, requestDigest, reply }: AnsweredUpdate) {
  return { tenantId, key, digest: requestDigest.toString('hex'), ...reply };
}
