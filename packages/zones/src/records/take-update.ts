import type { Database } from '@zonewright/database';
import {
  DnsSyntaxError,
  findRecordType,
  isAtOrBelow,
  type Message,
  nameOfRecord,
  rdataFromWire,
  readUpdateInstruction,
  typeMnemonic,
  UpdateFault,
  type UpdateInstruction,
} from '@zonewright/dns-records';
import { forEachInSlices, mapInSlices, ServiceError } from '@zonewright/service-kit';
import { creation, modification, type RecordChange } from '../checks/record-change.js';
import { isSameContent, type RecordContent } from '../rows/record.js';
import type { LockedZone, Zone } from '../rows/zone.js';
import { readSignedRecords, type SignedRecords } from '../signing/zone-being-signed.js';
import type { ZoneChange } from '../write/change-alone.js';
import type { UpdatedRecord, ZoneView } from '../write/zone-view.js';
import { checkPrerequisites, rdataDigest } from './check-prerequisites.js';
import { newRecordContent } from './record-content.js';

/** Maximum number of instructions in one transaction and one message. */
const MAX_STEPS = 1_000;

export type Update = Pick<Message, 'answers' | 'authorities'>;

/** Returns the names of the zone that an update reads. @throws ServiceError `invalid` for an update that is too long */
function namesOfUpdate({ answers, authorities }: Update, zoneName: string): string[] {
  if (answers.length > MAX_STEPS || authorities.length > MAX_STEPS) {
    throw new ServiceError(
      'invalid',
      `An update can have at most ${MAX_STEPS} records in each section.`,
    );
  }
  const names = new Set([...answers, ...authorities].map(nameOfRecord));
  return [...names].filter((name) => isAtOrBelow(name, zoneName));
}

/** Reads DNSSEC records that the prerequisites of an update compare. */
async function readSigned(
  db: Database,
  zone: LockedZone,
  { answers }: Update,
): Promise<SignedRecords> {
  const names = new Set(answers.map(nameOfRecord));
  const inZone = [...names].filter((name) => isAtOrBelow(name, zone.name));
  return await readSignedRecords(db, zone, inZone);
}

export function changeOfUpdate(update: Update, zoneName: string): ZoneChange {
  return {
    names: namesIfUsual(update, zoneName),
    plan: async ({ view, zone, work }) => {
      namesOfUpdate(update, zone.name);
      const signed = await readSigned(work.trx, zone, update);
      return { changes: await takeUpdate(view(), zone, update, signed) };
    },
  };
}

/** Returns no names for an update that is too long. It is rejected later. */
function namesIfUsual(update: Update, zoneName: string): string[] {
  try {
    return namesOfUpdate(update, zoneName);
  } catch (error) {
    if (error instanceof ServiceError) return [];
    throw error;
  }
}

/**
 * Applies an update to the view, before the rules of this service (RFC 2136 s3). Prerequisites are checked first, then
 * all instructions, and then the instructions are applied in order. The view then has the result of the update.
 *
 * @throws UpdateFault, ServiceError
 */
async function takeUpdate(
  view: ZoneView,
  zone: LockedZone,
  { answers, authorities }: Update,
  signed?: SignedRecords,
): Promise<readonly RecordChange[]> {
  const before = new Map(view.records);
  checkPrerequisites(view, answers, zone.name, signed);
  const steps = await mapInSlices(authorities, (record) =>
    readUpdateInstruction(record, zone.name),
  );
  await forEachInSlices(steps, (step) => {
    applyInstruction(view, zone, step);
  });
  return [...view.records].flatMap(([name, after]) => {
    const kept = new Set(after.map(({ row }) => row?.id));
    const gone = (before.get(name) ?? []).flatMap(({ row }) =>
      row === undefined || kept.has(row.id) ? [] : [{ before: row, after: undefined }],
    );
    const come = after.flatMap(({ row, content }) => {
      if (row === undefined) return [creation(zone, content)];
      return isSameContent(row, content) ? [] : [modification(zone, row, content)];
    });
    return [...gone, ...come];
  });
}

type Add = Extract<UpdateInstruction, { kind: 'add' }>;

/**
 * Applies an instruction to the records (RFC 2136 s3.4.2). The service manages SOA and NS at the apex. Instructions
 * that the RFC ignores there are ignored; other changes to them are rejected.
 *
 * @throws UpdateFault (FORMERR), ServiceError for a record that is not possible here
 */
function applyInstruction(view: ZoneView, zone: Zone, step: UpdateInstruction): void {
  const { name } = step;
  const isApex = name === zone.name;
  switch (step.kind) {
    case 'add':
      addRecord(view, zone, step);
      return;
    case 'delete-name':
      keep(view, name, ({ type }) => isApex && type === 'NS');
      return;
    case 'delete-rrset': {
      const gone = typeMnemonic(step.type);
      if (isApex && (gone === 'SOA' || gone === 'NS')) return;
      keep(view, name, ({ type }) => type !== gone);
      return;
    }
    case 'delete-record': {
      const gone = typeMnemonic(step.type);
      const digest = rdataDigest(gone, step.rdata);
      if (gone === 'SOA') return;
      if (view.isProvided(name, gone, digest)) throw refused(name, gone);
      keep(view, name, (each) => each.type !== gone || each.digest.toString('base64') !== digest);
    }
  }
}

function keep(view: ZoneView, name: string, isKept: (content: RecordContent) => boolean): void {
  view.set(
    name,
    view.at(name).filter(({ content }) => isKept(content)),
  );
}

function addRecord(view: ZoneView, zone: Zone, step: Add): void {
  const { name, ttl } = step;
  const type = typeMnemonic(step.type);
  const there = view.digestsAt(name);
  // A CNAME beside other types, and other types beside a CNAME, are silently ignored (RFC 2136 s3.4.2.2).
  if (type === 'CNAME' ? [...there.keys()].some((other) => other !== 'CNAME') : there.has('CNAME'))
    return;
  if (type === 'SOA') {
    const isOurs = view.isProvided(name, type, rdataDigest(type, step.rdata));
    if (name !== zone.name || isOurs) return;
    throw refused(name, type);
  }
  const content = contentOf(zone, type, step);
  const digest = content.digest.toString('base64');
  if (view.isProvided(name, type, digest)) return;
  const others = view.at(name);
  const same = others.find(
    (each) => each.content.type === type && each.content.digest.equals(content.digest),
  );
  const kept = same === undefined ? withoutReplaced(others, type) : others;
  const added: UpdatedRecord[] = same === undefined ? [{ row: undefined, content }] : [];
  // The records of one name and type have one TTL, the TTL of the last record (RFC 2181 s5.2).
  const all = [...kept, ...added].map((each) =>
    each.content.type === type ? withTtl(each, zone, ttl) : each,
  );
  view.set(name, all);
}

/** Removes the CNAME or DNAME that a new one replaces (RFC 2136 s3.4.2.2, RFC 6672 s5.2). */
function withoutReplaced(others: readonly UpdatedRecord[], type: string): readonly UpdatedRecord[] {
  const isSingle = type === 'CNAME' || type === 'DNAME';
  return isSingle ? others.filter(({ content }) => content.type !== type) : others;
}

function contentOf(zone: Zone, type: string, { name, ttl, rdata }: Add): RecordContent {
  if (findRecordType(type) === undefined) {
    // This call throws an error with the reason.
    const values = { name, type, data: '', ttl };
    return newRecordContent({ values, problems: [] }, zone.name, 'all');
  }
  try {
    const { data, priority } = rdataFromWire(type, rdata);
    const values = { name, type, data, ttl, ...(priority === null ? {} : { priority }) };
    return newRecordContent({ values, problems: [] }, zone.name, 'all');
  } catch (error) {
    if (error instanceof DnsSyntaxError) throw new UpdateFault('FORMERR');
    throw error;
  }
}

function withTtl({ row, content }: UpdatedRecord, zone: Zone, ttl: number): UpdatedRecord {
  return (content.ttl ?? zone.ttl) === ttl
    ? { row, content }
    : { row, content: { ...content, ttl } };
}

function refused(name: string, type: string): ServiceError {
  const message = `The service provides ${JSON.stringify(name)} ${type} itself; an update cannot change it.`;
  return new ServiceError('invalid', message);
}
