import { AAAA } from './aaaa.js';
import { A } from './a.js';
import { CNAME } from './cname.js';
import { MX } from './mx.js';
import { NS } from './ns.js';
import type { RecordType } from './record-type.js';
import { SRV } from './srv.js';
import { TXT } from './txt.js';

/** The record types that users may create, in the order of the DNS API's table (s2), with their rules. */
export const RECORD_TYPES = { NS, A, AAAA, MX, TXT, CNAME, SRV } as const satisfies Readonly<
  Record<string, RecordType>
>;

/** The mnemonic of one of the seven record types. */
export type RecordTypeName = keyof typeof RECORD_TYPES;

/** Whether a value is the mnemonic of one of the seven record types, in upper case (DNS API s2). */
export function isRecordTypeName(value: unknown): value is RecordTypeName {
  return typeof value === 'string' && Object.hasOwn(RECORD_TYPES, value);
}
