import { describe, expect, it } from '@jest/globals';
import {
  type MessageRecord,
  nameToWire,
  rdataToWire,
  RR_CLASS,
  RR_TYPE,
} from '@zonewright/dns-records';
import type { SignedRecord } from '@zonewright/dns-records/dnssec';
import { checkPrerequisites } from './check-prerequisites.js';
import { digestOf } from '../write/zone-view.js';

const ZONE = 'example.';
const ADDRESS = rdataToWire('A', '192.0.2.1', null);
const DNSKEY = Uint8Array.of(1, 1, 3, 13, 1, 2, 3, 4);

const view = {
  digestsAt: (name: string) =>
    new Map(name === ZONE ? [['A', new Set([digestOf('A', ADDRESS)])]] : []),
};
const signed = new Map<string, SignedRecord[]>([
  [
    ZONE,
    [
      { type: RR_TYPE.DNSKEY, ttl: 300, rdata: DNSKEY },
      { type: RR_TYPE.NSEC, ttl: 300, rdata: Uint8Array.of(0, 0, 1, 64) },
      { type: RR_TYPE.RRSIG, ttl: 300, rdata: Uint8Array.of(0, 1) },
    ],
  ],
  ['child.example.', [{ type: RR_TYPE.NS, ttl: 300, rdata: nameToWire('ns.example.') }]],
]);

function prerequisite(
  type: keyof typeof RR_TYPE,
  rrclass: number,
  { name = ZONE, rdata = new Uint8Array() }: { name?: string; rdata?: Uint8Array } = {},
): MessageRecord {
  return { name: nameToWire(name), type: RR_TYPE[type], class: rrclass, ttl: 0, rdata };
}

/** Returns a function that checks the prerequisite. */
const checking =
  (record: MessageRecord, records = signed) =>
  () => {
    checkPrerequisites(view, [record], ZONE, records);
  };

describe('RFC 2136 s3.2: prerequisites in a signed zone', () => {
  it.each(['A', 'DNSKEY', 'NSEC', 'RRSIG'] as const)('%s records exist', (type) => {
    expect(checking(prerequisite(type, RR_CLASS.ANY))).not.toThrow();
    expect(checking(prerequisite(type, RR_CLASS.NONE))).toThrow('YXRRSET');
  });

  it('are compared by their data', () => {
    expect(checking(prerequisite('DNSKEY', RR_CLASS.IN, { rdata: DNSKEY }))).not.toThrow();
    expect(checking(prerequisite('DNSKEY', RR_CLASS.IN, { rdata: ADDRESS }))).toThrow('NXRRSET');
  });

  it('a name is in use if only the service has records there', () => {
    expect(checking(prerequisite('ANY', RR_CLASS.ANY, { name: 'child.example.' }))).not.toThrow();
    expect(checking(prerequisite('ANY', RR_CLASS.NONE, { name: 'child.example.' }))).toThrow(
      'YXDOMAIN',
    );
  });

  it('none of them exist in an unsigned zone', () => {
    expect(checking(prerequisite('DNSKEY', RR_CLASS.NONE), new Map())).not.toThrow();
    expect(checking(prerequisite('NSEC', RR_CLASS.ANY), new Map())).toThrow('NXRRSET');
  });
});
