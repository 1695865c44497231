import {
  DnsSyntaxError,
  findRecordType,
  rdataFromWire,
  typeMnemonic,
  UpdateFault,
  type UpdateInstruction,
} from '@zonewright/dns-records';
import { ServiceError } from '@zonewright/service-kit';
import { newRecordContent } from '../records/record-content.js';
import type { RecordContent } from '../rows/record.js';
import type { Zone } from '../rows/zone.js';
import { rdataDigest } from './rdata-digest.js';
import type { UpdatedRecord, ZoneView } from '../write/read/zone-view.js';

type Add = Extract<UpdateInstruction, { kind: 'add' }>;

/**
 * Applies a step to the records (RFC 2136 s3.4.2). The service manages SOA and NS at the apex. Steps that the RFC ignores there
 * are ignored; other changes to them are refused.
 *
 * @throws UpdateFault (FORMERR), ServiceError for a record that is not possible here
 */
export function applyInstruction(view: ZoneView, zone: Zone, step: UpdateInstruction): void {
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
  // RFC 2136 s3.4.2.2: silently ignore a CNAME beside other types, and other types beside a CNAME.
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
  // RFC 2181 s5.2: the records of one name and type have one TTL, that of the last one.
  const all = [...kept, ...added].map((each) =>
    each.content.type === type ? withTtl(each, zone, ttl) : each,
  );
  view.set(name, all);
}

/** RFC 2136 s3.4.2.2, RFC 6672 s5.2: a CNAME or DNAME replaces the one that is there. */
function withoutReplaced(others: readonly UpdatedRecord[], type: string): readonly UpdatedRecord[] {
  const isSingle = type === 'CNAME' || type === 'DNAME';
  return isSingle ? others.filter(({ content }) => content.type !== type) : others;
}

function contentOf(zone: Zone, type: string, { name, ttl, rdata }: Add): RecordContent {
  if (findRecordType(type) === undefined) {
    // It says why not.
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
  const message = `The service provides ${JSON.stringify(name)} ${type} itself; no update changes it.`;
  return new ServiceError('invalid', message);
}
