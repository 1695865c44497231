import { CHANNELS, type Database, errorCode, SQLSTATE } from '@zonewright/database';
import {
  ENTRY_OCTETS,
  authorColumns,
  insertEntries,
  type JournalAuthor,
  type JournalStep,
  NOTIFY,
  toRow,
  UPDATE_ZONE,
} from './journal-store.js';
import { octetsOf, toJournalEntry } from './write-changes.js';
import type { RecordChange } from '../changes/record-change.js';
import { insertRecordsOf, recordParts } from './record-rows.js';
import type { ZoneRecord } from '../../rows/record.js';
import type { Zone } from '../../rows/zone.js';
import { signedStepSql, type SignedStepValues } from '../../signing/signed-name-store.js';
import { NamedStatement } from '../../sql/named-statement.js';

/** One step of the serial, of several that are written together: its entries in the journal, as JSON. */
export type UpdateStep = readonly string[];

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

interface WrittenUpdates {
  /** Version of the zone's row at the check; `zone` is the zone after all steps. */
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
 * Result of all steps of a signed zone, as in signedStepSql, with the versions that must still be current. `signingVersion` is
 * that of the row with the signing state; a change of keys changes this row or the zone's. `apexVersion` is that of the apex
 * records that the service provides.
 */
export type SignedUpdates = SignedStepValues['values'] & {
  readonly serialBefore: number;
  readonly signingVersion: string;
  readonly apexVersion: number;
};

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
 * locked it, this one does not wait: the client may have been told meanwhile that nothing was done. Rows are deleted before equal
 * ones are inserted. The rows were read as this zone's, so the id is enough, and the index by id is always used.
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
const allOf = (isSigned: boolean) => `
  with held as (select d.id ${isSigned ? HELD.signed : HELD.unsigned}
                   and d.xmin = cast(:rowVersion as xid) and d.tenant_id = :tenantId and d.deleted_at is null
                   for no key update skip locked),
       zone as (${UPDATE_ZONE} and exists (select 1 from held) returning d.id${isSigned ? ', d.apex_version' : ''}),
       gone as (delete from dns.records as r where r.id = any(cast(:gone as uuid[])) and ${HAS_ZONE} returning r.id),
       records as (${insertRecordsOf(':come')} ${IF_ZONE} and (select count(*) from gone) >= 0),
       journal as (${insertEntries('of-each', IF_ZONE)}),
       ${isSigned ? `${signedStepSql(HAS_ZONE)},` : ''}
       answers as (${INSERT_ANSWERS} ${IF_ZONE} ${UNLESS_KEPT})
  ${NOTIFY}${isSigned ? AS_SIGNED : ''} from zone`;
const WRITE = new NamedStatement('write-updates', allOf(false));
const WRITE_SIGNED = new NamedStatement('write-signed-updates', allOf(true));

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
  const write = signed === undefined ? WRITE : WRITE_SIGNED;
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
