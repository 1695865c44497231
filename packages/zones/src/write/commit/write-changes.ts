import type { JournalEntry } from '@zonewright/database';
import { type JudgedChanges, mayHideNames, type RecordChange } from '../../checks/record-change.js';
import type { ServiceWork } from '../../request/unit-of-work.js';
import { toZoneImage } from '../../rows/images.js';
import { requireMayChangeZone } from '../../rows/key-rules.js';
import { isServed, type ZoneRecord } from '../../rows/record.js';
import type { LockedZone, Zone, ZoneContent } from '../../rows/zone.js';
import type { TouchedNames } from '../../signing/sign-step.js';
import { appendEntries, entryParts, toJournalEntry } from './journal-store.js';
import {
  deleteRecords,
  hasFlags,
  insertRecords,
  octetsOf,
  type RowChanges,
  writeDisabledRecords,
} from './record-rows.js';
import { type EarlierZone, insertZone, type NewZone } from './zone-rows.js';
import { authorOf, commitZone } from './zone-step.js';

/**
 * Writes changes of a zone and its records as one changeset. Every writer of an existing zone calls this function.
 * Changed records are deleted and inserted again with the same ids, so that rows can exchange their contents without
 * a moment in which two are equal. The caller has locked the zone. Changes without effect and dry runs do not change
 * the serial.
 */
export async function writeChanges(
  work: ServiceWork,
  zone: LockedZone,
  changes: JudgedChanges,
  content: Partial<ZoneContent> = {},
): Promise<Zone> {
  const ownEntry = toZoneEntry(zone, content);
  if (ownEntry !== undefined) requireMayChangeZone(work.caller);
  if (changes.length === 0 && ownEntry === undefined) return zone;
  const { gone, come } = rowsOf(changes);
  const served = { gone: gone.filter(isServed), come: come.filter(isServed) };
  const after = {
    ...(ownEntry?.zone ?? zone),
    recordCount: zone.recordCount + served.come.length - served.gone.length,
  };
  // Even rows that are rolled back cost disk writes.
  if (work.isDryRun) return after;
  const rows = await writeRows(work, zone, { gone, come });
  return await commitZone(work, zone, after, {
    entries: toEntries(ownEntry?.entry, changes),
    // Only signed zones need these names, and an import changes very many.
    touched: () => touchedNames(zone, after, changes),
    rows,
    ahead: isSignedAhead(zone, after, changes)
      ? { state: zone.signingState, unwritten: served }
      : undefined,
  });
}

function rowsOf(changes: readonly RecordChange[]): RowChanges {
  const rows = { gone: [] as ZoneRecord[], come: [] as ZoneRecord[] };
  for (const { before, after } of changes) {
    if (before !== undefined) rows.gone.push(before);
    if (after !== undefined) rows.come.push(after);
  }
  return rows;
}

/**
 * Writes a new zone. Its records, which have been checked, are written and journaled one by one: all of them take several times the
 * memory of the zone.
 *
 * @param earlier values of a zone that was hosted elsewhere before
 */
export async function writeNewZone(
  work: ServiceWork,
  zone: NewZone,
  {
    earlier,
    records = [],
  }: { readonly earlier?: EarlierZone; readonly records?: readonly ZoneRecord[] } = {},
): Promise<Zone> {
  const { trx, written } = work;
  const served = records.filter(isServed);
  const made = await insertZone(trx, { ...zone, recordCount: served.length }, earlier);
  await insertRecords(trx, served);
  await writeDisabledRecords(trx, made.id, { gone: [], come: records });
  const serials = { serialBefore: undefined, serialAfter: made.serial };
  const step = { zoneId: made.id, ...serials, ...authorOf(work) };
  const entries = function* () {
    yield { action: 'domain-create', after: toZoneImage(made) } as const;
    for (const after of records) yield toJournalEntry({ before: undefined, after });
  };
  written.octets += await appendEntries(trx, step, entryParts(step, entries()));
  return made;
}

/** Above this number of changes, the zone is signed after its rows are written, in as many statements as necessary. */
const FEW_CHANGES = 50;

/**
 * Returns whether the signatures can be computed before the rows are written, because the signing data of other names
 * stays the same.
 */
function isSignedAhead(before: Zone, after: Zone, changes: readonly RecordChange[]): boolean {
  return changes.length <= FEW_CHANGES && before.ttl === after.ttl && !changes.some(mayHideNames);
}

/** Limits up to which rows are written in the same statement as the changeset: their size in bytes and their number. */
const STATEMENT_OCTETS = 500_000;
const STATEMENT_ROWS = 1_000;

/** Writes rows of records, and returns those that are written together with the changeset. */
async function writeRows(
  { trx, written }: ServiceWork,
  { id: zoneId }: LockedZone,
  all: RowChanges,
): Promise<RowChanges | undefined> {
  const octets = octetsOf(all.come);
  written.octets += octets;
  if (hasFlags(all.come) || hasFlags(all.gone)) await writeDisabledRecords(trx, zoneId, all);
  const rows = { gone: all.gone.filter(isServed), come: all.come.filter(isServed) };
  if (octets <= STATEMENT_OCTETS && rows.come.length <= STATEMENT_ROWS) return rows;
  const ids = rows.gone.map(({ id }) => id);
  await deleteRecords(trx, zoneId, ids);
  await insertRecords(trx, rows.come);
  return undefined;
}

/** Yields one entry at a time, because the images of a whole zone are several times as large as the zone. */
function* toEntries(
  own: JournalEntry | undefined,
  changes: readonly RecordChange[],
): Generator<JournalEntry> {
  if (own !== undefined) yield own;
  for (const change of changes) yield toJournalEntry(change);
}

function touchedNames(before: Zone, after: Zone, changes: readonly RecordChange[]): TouchedNames {
  const records = changes.flatMap(({ before: old, after: made }) => [old, made]);
  const now = typesByName(records.filter((record) => record !== undefined).filter(isServed));
  // A record without a TTL uses the zone's.
  return after.ttl === before.ttl ? now : { now };
}

/** Returns the names of the records, with their types. */
export function typesByName(
  records: readonly Pick<ZoneRecord, 'name' | 'type'>[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const byName = new Map<string, Set<string>>();
  for (const { name, type } of records) {
    const types = byName.get(name) ?? new Set();
    byName.set(name, types.add(type));
  }
  return byName;
}

function toZoneEntry(zone: LockedZone, content: Partial<ZoneContent>) {
  const changed = changeZone(zone, content);
  if (changed === undefined) return undefined;
  const entry: JournalEntry = {
    action: 'domain-update',
    before: toZoneImage(zone),
    after: toZoneImage(changed),
  };
  return { zone: changed, entry };
}

/** Returns the zone with the new content, or undefined if nothing differs. A zone's name never changes. */
function changeZone(
  zone: LockedZone,
  { email, ttl, description }: Partial<ZoneContent>,
): Zone | undefined {
  const content = {
    email: email ?? zone.email,
    ttl: ttl ?? zone.ttl,
    description: description === undefined ? zone.description : description,
  };
  if (
    content.email === zone.email &&
    content.ttl === zone.ttl &&
    content.description === zone.description
  ) {
    return undefined;
  }
  return { ...zone, ...content, version: zone.version + 1, updatedAt: zone.now };
}
