import { CHANNELS, type Database, errorCode, queryRow, SQLSTATE } from '@zonewright/database';
import {
  authorColumns,
  ENTRY_OCTETS,
  insertEntries,
  type JournalAuthor,
  type JournalContext,
  type changesetValues,
  toJournalEntry,
  toRow,
} from './journal-store.js';
import { insertRecordsOf, octetsOf, recordParts, type RowChanges } from './record-rows.js';
import type { RecordChange } from '../../checks/record-change.js';
import type { SigningState } from '../../rows/signing-state.js';
import type { Zone } from '../../rows/zone.js';
import {
  SIGNED_CHANGES,
  signedChangeValues,
  type SignedValues,
} from '../../signing/signed-name-store.js';
import { NamedStatement } from '../../rows/statements.js';

/** The journal entries, as JSON, of one changeset. Several changesets can be written together. */
export type ChangeEntries = readonly string[];

/** The response to an update, with its idempotency key. */
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

/** The changesets of one zone that one statement writes. */
export interface Commit {
  /** The zone after all changesets. */
  readonly zone: Zone;
  /**
   * The version that the zone's row had when the changes were checked; undefined if the transaction has locked the row.
   */
  readonly rowVersion?: string;
  /** Undefined if the zone keeps its tenant and is not deleted or restored. */
  readonly move?: ZoneMove | undefined;
  /** The values of the changeset that its entries lack. */
  readonly step?: ReturnType<typeof changesetValues>;
  /** The journal entries, as a JSON array. */
  readonly entries: string;
  readonly rows: RowChanges;
  readonly answered?: readonly AnsweredUpdate[];
  /** Undefined if the zone is not signed, or is signed only after this is written. */
  readonly signed?: SignedRows | undefined;
}

/** Change of a zone's tenant, or deletion or restoration of a zone. */
export interface ZoneMove {
  /** The tenant that owned the zone before these changesets. */
  readonly ownerId: string;
  readonly life: 'begins' | 'stays' | 'ends';
}

/**
 * The result of all changesets of a signed zone, with the versions that must not have changed. `signingVersion` is the
 * version of the row with the signing state; a change of keys changes this row or the zone's. `apexVersion` is the
 * version of the apex records that the service provides.
 */
export interface SignedRows extends SignedValues {
  readonly serialBefore: number;
  readonly signingState: SigningState;
  readonly signingVersion?: string;
  readonly apexVersion: number;
}

export interface Committed {
  /** The transaction that wrote the zone. */
  readonly changedIn: string;
  /** The signing state at the time when the changeset is written; null if the zone is not signed. */
  readonly signingState: SigningState | null;
}

const ANSWERED = `jsonb_to_recordset(cast(:answered as jsonb))
      as k ("zoneId" uuid, "tenantId" text, key text, digest text, status integer, headers jsonb, body text)`;
const insertAnswers = (condition = '') => `
  insert into dns.idempotency_keys (tenant_id, idempotency_key, request_digest, status, headers, body)
  select k."tenantId", k.key, decode(k.digest, 'hex'), k.status, k.headers, k.body
    from ${ANSWERED} ${condition}
      on conflict (tenant_id, idempotency_key) do nothing`;
const KEEP_ANSWERS = new NamedStatement('keep-answers', `${insertAnswers()} returning 1`);

/** Size of a stored response without its body, in bytes. */
const KEPT_OCTETS = 500;

const SIGNED_COLUMNS = `, "serialBefore" bigint, "signingState" text, "signingVersion" text, "apexVersion" integer,
                 "stepNames" text`;
/**
 * The condition for writing a zone: it has not changed, and no new zone exists below it. The rows of the zones are
 * locked first, by id. A row that another transaction has locked is skipped: waiting could take a long time, and the
 * client may have received an error in the meantime. If the transaction has locked its zone, there is no version to
 * compare. Rows are deleted before equal ones are inserted. The statement always uses the index by id.
 */
const rowsOf = (isSigned: boolean) => `jsonb_to_recordset(cast(:zones as jsonb))
           as a (id uuid, "ownerId" text, "rowVersion" text, email text, ttl integer, description text, serial bigint,
                 "recordCount" integer, version integer, "updatedAt" timestamp${isSigned ? SIGNED_COLUMNS : ''})`;
const ifWritten = (zoneId: string) => `${zoneId} in (select zone.id from zone)`;
const UNSIGNED = 'from dns.domains as d join asked as a on a.id = d.id where';
const SIGNED = `from dns.domains as d join asked as a on a.id = d.id join dns.zone_dnssec as z on z.domain_id = d.id
                 where z.domain_id = any(cast(:ids as uuid[])) and z.state = a."signingState"
                   and coalesce(z.xmin = cast(a."signingVersion" as xid), true) and`;
const MOVE = `tenant_id = :tenantId, deleted_at = case when cast(:life as text) = 'ends' then now() end,`;
const updateZones = (isMoved: boolean) => `
  update dns.domains as d
     set ${isMoved ? MOVE : ''} email = a.email, ttl = a.ttl, description = a.description, serial = a.serial, record_count = a."recordCount",
         version = a.version, updated_at = a."updatedAt" at time zone 'UTC', changed_in = pg_current_xact_id()
    from asked as a
   where d.id = any(cast(:ids as uuid[])) and a.id = d.id and d.id in (select held.id from held)`;
/**
 * Divides by zero, which undoes the whole statement, if the service now provides other records at the apex, or the row
 * with the signing state has changed. Only the rows as they are written show this.
 */
const AS_SIGNED = `, 1 / cast(exists (
    select from asked as a join signed on signed.domain_id = a.id
     where a.id = zone.id and a."apexVersion" is not distinct from zone.apex_version) as integer)`;
/** Divides by zero in the same way if another request has stored its response under one of the keys. */
const ALL_ANSWERED = `1 / cast((select count(*) from answers) = (
    select count(*) from ${ANSWERED} where ${ifWritten('k."zoneId"')}) as integer)`;
const allOf = ({ isSigned = false, isMoved = false }) => `
  with asked as materialized (select * from ${rowsOf(isSigned)}),
       held as (select d.id ${isSigned ? SIGNED : UNSIGNED} d.id = any(cast(:ids as uuid[]))
                   and coalesce(d.xmin = cast(a."rowVersion" as xid), true) and d.tenant_id = a."ownerId"
                   and (d.deleted_at is null${isMoved ? `) = (cast(:life as text) <> 'begins'` : ''})
                 order by d.id for no key update of d skip locked),
       zone as (${updateZones(isMoved)} returning d.id${isSigned ? ', d.apex_version' : ''}),
       gone as (delete from dns.records as r
                 where r.id = any(cast(:gone as uuid[])) and ${ifWritten('r.domain_id')} returning r.id),
       records as (${insertRecordsOf(':come')} where ${ifWritten('i."zoneId"')} and (select count(*) from gone) >= 0),
       journal as (${insertEntries(`where ${ifWritten('coalesce(e.domain_id, cast(:zoneId as uuid))')}`)}),
       ${isSigned ? `${SIGNED_CHANGES},` : ''}
       answers as (${insertAnswers(`where ${ifWritten('k."zoneId"')}`)} returning 1)
  select pg_notify(:channel, cast(zone.id as text)), zone.id, cast(pg_current_xact_id() as text) as "changedIn", ${ALL_ANSWERED},
         (select z.state from dns.zone_dnssec as z where z.domain_id = zone.id) as "signingState"${isSigned ? AS_SIGNED : ''}
    from zone`;
const COMMIT = new NamedStatement('commit', allOf({}));
const COMMIT_MOVED = new NamedStatement('commit-moved', allOf({ isMoved: true }));
const COMMIT_SIGNED = new NamedStatement('commit-signed', allOf({ isSigned: true }));

/**
 * Writes changesets of a few zones in one statement: all of them are signed, or none is. A zone that is moved or locked by
 * its transaction is alone in its statement.
 *
 * @returns undefined for each zone that has changed in the meantime, or whose signing has; the transaction must then
 * end
 */
export async function commitChanges(
  db: Database,
  commits: readonly [Commit, ...Commit[]],
  beforeWrite?: () => void,
): Promise<readonly (Committed | undefined)[]> {
  const [{ zone, step, move, signed }] = commits;
  const values = {
    ...step,
    ...signedChangeValues(
      commits.flatMap((each) =>
        each.signed === undefined ? [] : { zoneId: each.zone.id, signed: each.signed },
      ),
    ),
    ...move,
    tenantId: zone.tenantId,
    zoneId: zone.id,
    serialAfter: zone.serial,
    ids: commits.map((each) => each.zone.id),
    zones: JSON.stringify(commits.map(toAskedRow)),
    gone: commits.flatMap(({ rows }) => rows.gone.map(({ id }) => id)),
    come: joined(
      commits.flatMap(({ rows }) => Array.from(recordParts(rows.come), ({ json }) => json)),
    ),
    entries: joined(commits.map(({ entries }) => entries)),
    answered: JSON.stringify(
      commits.flatMap(({ zone: { id: zoneId }, answered = [] }) =>
        answered.map((each) => ({ zoneId, ...toAnswerRow(each) })),
      ),
    ),
    channel: CHANNELS.dns,
  };
  try {
    const unsigned = move === undefined ? COMMIT : COMMIT_MOVED;
    const statement = signed === undefined ? unsigned : COMMIT_SIGNED;
    const rows = await statement.run<Committed & { readonly id: string }>(db, values, beforeWrite);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return commits.map((each) => byId.get(each.zone.id));
  } catch (error) {
    if (commits.length === 1 && errorCode(error) === SQLSTATE.divisionByZero) return [undefined];
    throw error;
  }
}

function toAskedRow({ zone, rowVersion, move, signed }: Commit) {
  const { id, email, ttl, description, serial, recordCount, version, updatedAt } = zone;
  const content = { email, ttl, description, serial, recordCount, version, updatedAt };
  const row = { id, ownerId: move?.ownerId ?? zone.tenantId, rowVersion, ...content };
  if (signed === undefined) return row;
  const { serialBefore, signingState, signingVersion, apexVersion, stepNames } = signed;
  return { ...row, serialBefore, signingState, signingVersion, apexVersion, stepNames };
}

/** Joins several JSON arrays into one. */
function joined(arrays: readonly string[]): string {
  const members = arrays.map((json) => json.slice(1, -1)).filter((json) => json !== '');
  return `[${members.join(',')}]`;
}

/** A stored response, and the request that it belongs to. */
type KeptAnswer = Pick<AnsweredUpdate, 'requestDigest' | 'reply'> & {
  /** The transaction that stored the response. */
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

/**
 * Stores responses that do not belong to a commit.
 *
 * @returns false if another request has stored its response under one of the keys in the meantime
 */
export async function storeResponses(
  db: Database,
  answered: readonly AnsweredUpdate[],
  beforeWrite?: () => void,
): Promise<boolean> {
  const values = { answered: JSON.stringify(answered.map(toAnswerRow)) };
  const stored = await KEEP_ANSWERS.run(db, values, beforeWrite);
  return stored.length === answered.length;
}

/** Estimates how many bytes the database writes for the changes. */
export function changeOctets(step: ChangeEntries, changes: readonly RecordChange[]): number {
  const entries = step.reduce((sum, entry) => sum + entry.length + ENTRY_OCTETS, 0);
  return entries + octetsOf(changes.flatMap(({ after }) => after ?? []));
}

export function answerOctets({ reply: { body } }: AnsweredUpdate): number {
  return KEPT_OCTETS + body.length;
}

export function toChangeEntries(
  { zoneId, serialBefore, serialAfter }: JournalContext,
  author: JournalAuthor,
  changes: readonly RecordChange[],
): ChangeEntries {
  const { userId, requestId, userName, accessKeyId, source, note } = authorColumns(author);
  const step = {
    ...{ domain_id: zoneId, serial_before: serialBefore, serial_after: serialAfter },
    ...{
      user_id: userId,
      request_id: requestId,
      user_name: userName,
      access_key_id: accessKeyId,
      source,
      note,
    },
  };
  return changes.map((change) => JSON.stringify({ ...toRow(toJournalEntry(change)), ...step }));
}

function toAnswerRow({ tenantId, key, requestDigest, reply }: AnsweredUpdate) {
  return { tenantId, key, digest: requestDigest.toString('hex'), ...reply };
}
