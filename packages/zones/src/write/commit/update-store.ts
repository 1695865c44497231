import { CHANNELS, type Database, errorCode, SQLSTATE } from '@zonewright/database';
import {
  ENTRY_OCTETS,
  authorColumns,
  insertEntries,
  type JournalAuthor,
  type JournalStep,
  knowsAuthors,
  NOTIFY,
  toRow,
  UPDATE_ZONE,
} from '../../journal/journal-store.js';
import { octetsOf, toJournalEntry } from './write-changes.js';
import type { RecordChange } from '../changes/record-change.js';
import { hasFlags, insertRecordsOf, recordParts } from '../../rows/record-store.js';
import type { ZoneRecord } from '../../rows/record.js';
import type { Zone } from '../../rows/zone.js';
import { signedStepSql, type SignedStepValues } from '../../signing/signed-name-store.js';
import { NamedStatement } from '../../sql/named-statement.js';

/** One step of the serial, of several that are written together: its entries in the journal, as JSON. */
export type UpdateStep = readonly string[];

/** What an update was answered, under the key of its repetitions. */
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

interface WrittenUpdates {
  /** Of the zone's row when they were judged, and the zone as it is after all steps. */
  readonly rowVersion: string;
  readonly zone: Zone;
  readonly steps: readonly UpdateStep[];
  /** Rows that were there and are not, or not as they were; rows that were not there as they are. */
  readonly gone: readonly ZoneRecord[];
  readonly come: readonly ZoneRecord[];
  readonly answered: readonly AnsweredUpdate[];
  /** Undefined: the zone is not signed. */
  readonly signed: SignedUpdates | undefined;
}

/**
 * What all steps of a signed zone come to, as signedStepSql has it, and what must be as it was when that was signed: `signingVersion`, of the
 * row that tells how the zone is signed (who changes its keys changes that, or the row of the zone), and `apexVersion`, of what is
 * provided at the apex.
 */
export type SignedUpdates = SignedStepValues['values'] & {
  readonly serialBefore: number;
  readonly signingVersion: string;
  readonly apexVersion: number | null;
};

const INSERT_ANSWERS = `
  insert into dns.idempotency_keys (tenant_id, idempotency_key, request_digest, status, headers, body)
  select k."tenantId", k.key, decode(k.digest, 'hex'), k.status, k.headers, k.body
    from jsonb_to_recordset(cast(:answered as jsonb))
         as k ("tenantId" text, key text, digest text, status integer, headers jsonb, body text)`;
/** Another process may have kept the answer to the same message: neither of them changed the zone, so both answers are equal. */
const UNLESS_KEPT = 'on conflict (tenant_id, idempotency_key) do nothing';
const KEEP_ANSWERS = new NamedStatement('keep-answers', `${INSERT_ANSWERS} ${UNLESS_KEPT}`);

/** Of an answer that is kept, beside its body. */
const KEPT_OCTETS = 500;

/**
 * Nothing of it is written where the zone is not any more as it was, or another one has come below it. Its row is locked first. Who else has
 * it is not waited for: he changes it, and who has been told meanwhile that nothing was done must not find it done. What was deleted
 * is so before something equal comes. It was read as this zone's, so its id is enough, and the index by id is used whatever the planner knows.
 */
const HAS_ZONE = 'exists (select 1 from zone)';
const IF_ZONE = `where ${HAS_ZONE}`;
const HELD = {
  unsigned: `from dns.domains as d where d.id = :zoneId`,
  signed: `from dns.domains as d join dns.zone_dnssec as z on z.domain_id = d.id
                 where d.id = :zoneId and z.xmin = cast(:signingVersion as xid)`,
};
/** Division by zero where something else is provided at the apex, which only the row as it is written tells: all of it is undone. */
const AS_SIGNED =
  ', 1 / cast(zone.apex_version is not distinct from cast(:apexVersion as integer) as integer)';
const allOf = (hasAuthor: boolean, kind: 'plain' | 'flagged', isSigned: boolean) => `
  with held as (select d.id ${isSigned ? HELD.signed : HELD.unsigned}
                   and d.xmin = cast(:rowVersion as xid) and d.tenant_id = :tenantId and d.deleted_at is null
                   for no key update skip locked),
       zone as (${UPDATE_ZONE} and exists (select 1 from held) returning d.id${isSigned ? ', d.apex_version' : ''}),
       gone as (delete from dns.records as r where r.id = any(cast(:gone as uuid[])) and ${HAS_ZONE} returning r.id),
       records as (${insertRecordsOf(':come', kind)} ${IF_ZONE} and (select count(*) from gone) >= 0),
       journal as (${insertEntries(hasAuthor, 'of-each', IF_ZONE)}),
       ${isSigned ? `${signedStepSql(HAS_ZONE)},` : ''}
       answers as (${INSERT_ANSWERS} ${IF_ZONE} ${UNLESS_KEPT})
  ${NOTIFY}${isSigned ? AS_SIGNED : ''} from zone`;
const WRITE = {
  withAuthor: new NamedStatement('write-updates', allOf(true, 'plain', false)),
  withFlags: new NamedStatement('write-updates-flagged', allOf(true, 'flagged', false)),
  withoutAuthor: new NamedStatement('write-updates-without-author', allOf(false, 'plain', false)),
};
/** Signing came after authors. */
const WRITE_SIGNED = {
  withAuthor: new NamedStatement('write-signed-updates', allOf(true, 'plain', true)),
  withFlags: new NamedStatement('write-signed-updates-flagged', allOf(true, 'flagged', true)),
};

async function chooseStatement(
  db: Database,
  { come, signed }: WrittenUpdates,
): Promise<NamedStatement> {
  if (signed !== undefined) return WRITE_SIGNED[hasFlags(come) ? 'withFlags' : 'withAuthor'];
  if (hasFlags(come)) return WRITE.withFlags;
  return (await knowsAuthors(db)) ? WRITE.withAuthor : WRITE.withoutAuthor;
}

/** Steps of one zone, few enough for one statement, which is a transaction. False: the zone has changed meanwhile. */
export async function writeUpdates(
  db: Database,
  written: WrittenUpdates,
  beforeWrite: () => void,
): Promise<boolean> {
  const { rowVersion, zone, steps, gone, come, answered, signed } = written;
  const answers = JSON.stringify(answered.map(toAnswerRow));
  if (steps.length === 0) {
    await KEEP_ANSWERS.run(db, { answered: answers }, beforeWrite);
    return true;
  }
  const write = await chooseStatement(db, written);
  const { email, ttl, description, recordCount, version, updatedAt, tenantId } = zone;
  const values = {
    ...signed,
    ...{ email, ttl, description, recordCount, version, updatedAt, tenantId },
    zoneId: zone.id,
    serialAfter: zone.serial,
    rowVersion,
    gone: gone.map(({ id }) => id),
    come: `[${Array.from(recordParts(come), ({ json }) => json.slice(1, -1)).join(',')}]`,
    entries: `[${steps.flat().join(',')}]`,
    answered: answers,
    channel: CHANNELS.dns,
  };
  try {
    return (await write.run(db, values, beforeWrite)).length > 0;
  } catch (error) {
    if (signed !== undefined && errorCode(error) === SQLSTATE.divisionByZero) return false;
    throw error;
  }
}

/** About how many octets the database writes for them. */
export function stepOctets(step: UpdateStep, changes: readonly RecordChange[]): number {
  const entries = step.reduce((sum, entry) => sum + entry.length + ENTRY_OCTETS, 0);
  return entries + octetsOf(changes.flatMap(({ after }) => after ?? []));
}

export function answerOctets({ reply: { body } }: AnsweredUpdate): number {
  return KEPT_OCTETS + body.length;
}

export function toUpdateStep(
  { serialBefore, serialAfter }: Omit<JournalStep, 'zoneId'>,
  author: JournalAuthor,
  changes: readonly RecordChange[],
): UpdateStep {
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
