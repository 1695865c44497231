import { isAtOrBelow } from '../names/owner-names.js';
import { RR_CLASS, RR_TYPE } from '../values/rr-type.js';
import { lowerCaseOctets } from '../wire/octets.js';
import { wireToName } from '../wire/wire-to-name.js';
import { type MessageRecord, RCODE } from './message.js';

/** Reason why an update is rejected, with the rcode of its response (RFC 2136 s2.2). */
export class UpdateFault extends Error {
  readonly rcode: number;

  constructor(rcode: keyof typeof RCODE) {
    super(rcode);
    this.rcode = RCODE[rcode];
  }
}

/** Canonical name of a prerequisite or an update. */
interface Named {
  readonly name: string;
}

/** Prerequisite of an update (RFC 2136 s2.4). */
export type Prerequisite =
  | (Named & { readonly kind: 'name-in-use' | 'name-not-in-use' })
  | (Named & { readonly kind: 'rrset-exists' | 'rrset-does-not-exist'; readonly type: number })
  | (Named & { readonly kind: 'record'; readonly type: number; readonly rdata: Uint8Array });

/** Instruction of an update (RFC 2136 s2.5). */
export type UpdateInstruction =
  | (Named & {
      readonly kind: 'add';
      readonly type: number;
      readonly ttl: number;
      readonly rdata: Uint8Array;
    })
  | (Named & { readonly kind: 'delete-name' })
  | (Named & { readonly kind: 'delete-rrset'; readonly type: number })
  | (Named & { readonly kind: 'delete-record'; readonly type: number; readonly rdata: Uint8Array });

/** Reads one record of the prerequisite section (RFC 2136 s3.2.5). @throws UpdateFault */
export function readPrerequisite(record: MessageRecord, zoneName: string): Prerequisite {
  if (record.ttl !== 0) throw new UpdateFault('FORMERR');
  const name = nameInZone(record, zoneName);
  const { type, rdata } = record;
  if (record.class === RR_CLASS.IN) {
    if (isMeta(type)) throw new UpdateFault('FORMERR');
    return { kind: 'record', name, type, rdata };
  }
  const isThere = record.class === RR_CLASS.ANY;
  if ((!isThere && record.class !== RR_CLASS.NONE) || rdata.length > 0)
    throw new UpdateFault('FORMERR');
  return type === RR_TYPE.ANY
    ? { kind: isThere ? 'name-in-use' : 'name-not-in-use', name }
    : { kind: isThere ? 'rrset-exists' : 'rrset-does-not-exist', name, type };
}

/** Parses and prescans one record of the update section (RFC 2136 s3.4.1). @throws UpdateFault */
export function readUpdateInstruction(record: MessageRecord, zoneName: string): UpdateInstruction {
  const name = nameInZone(record, zoneName);
  const { type, ttl, rdata } = record;
  const isAny = type === RR_TYPE.ANY && record.class === RR_CLASS.ANY;
  if (isMeta(type) && !isAny) throw new UpdateFault('FORMERR');
  if (record.class === RR_CLASS.IN) return { kind: 'add', name, type, ttl, rdata };
  if (ttl !== 0) throw new UpdateFault('FORMERR');
  if (record.class === RR_CLASS.NONE) return { kind: 'delete-record', name, type, rdata };
  if (record.class !== RR_CLASS.ANY || rdata.length > 0) throw new UpdateFault('FORMERR');
  return isAny ? { kind: 'delete-name', name } : { kind: 'delete-rrset', name, type };
}

/** Returns the canonical text of the record's name. */
export function nameOfRecord({ name }: Pick<MessageRecord, 'name'>): string {
  return wireToName(lowerCaseOctets(name));
}

function nameInZone(record: MessageRecord, zoneName: string): string {
  const text = nameOfRecord(record);
  if (!isAtOrBelow(text, zoneName)) throw new UpdateFault('NOTZONE');
  return text;
}

/** Whether the type is used only in queries and messages, not in records of a zone (RFC 6895 s3.1). */
function isMeta(type: number): boolean {
  return type === 0 || type === RR_TYPE.OPT || (type >= 128 && type <= 255);
}
