import { describe, expect, it } from '@jest/globals';
import { RR_CLASS, RR_TYPE } from '../values/rr-type.js';
import { nameToWire } from '../wire/name-to-wire.js';
import { RCODE } from './message.js';
import { readPrerequisite, readUpdateInstruction, UpdateFault } from './update.js';

const A = Uint8Array.of(192, 0, 2, 1);
const NOTHING = new Uint8Array();

function record(type: keyof typeof RR_TYPE, members: object = {}) {
  const name = nameToWire('Www.example.com.');
  return { name, type: RR_TYPE[type], class: RR_CLASS.IN, ttl: 0, rdata: NOTHING, ...members };
}

const outside = { name: nameToWire('www.example.org.') };
const any = { class: RR_CLASS.ANY };
const none = { class: RR_CLASS.NONE };

describe('prerequisites', () => {
  it.each([
    [record('ANY', any), 'name-in-use'],
    [record('ANY', none), 'name-not-in-use'],
    [record('A', any), 'rrset-exists'],
    [record('A', none), 'rrset-does-not-exist'],
    [record('A', { rdata: A }), 'record'],
  ])('RFC 2136 s2.4: %j is %s', (given, kind) => {
    expect(readPrerequisite(given, 'example.com.')).toMatchObject({
      kind,
      name: 'www.example.com.',
    });
  });

  it.each([
    [record('A', { ...any, ttl: 1 }), 'FORMERR'],
    [record('A', { ...any, rdata: A }), 'FORMERR'],
    [record('A', { ...none, rdata: A }), 'FORMERR'],
    [record('A', { class: RR_CLASS.CH }), 'FORMERR'],
    [record('ANY', { rdata: A }), 'FORMERR'],
    [record('A', outside), 'NOTZONE'],
  ] as const)('RFC 2136 s3.2.5: %j is %s', (given, rcode) => {
    expect(faultOf(() => readPrerequisite(given, 'example.com.'))).toBe(RCODE[rcode]);
  });
});

describe('updates', () => {
  it.each([
    [record('A', { ttl: 60, rdata: A }), 'add'],
    [record('ANY', any), 'delete-name'],
    [record('A', any), 'delete-rrset'],
    [record('A', { ...none, rdata: A }), 'delete-record'],
  ])('RFC 2136 s2.5: %j is %s', (given, kind) => {
    expect(readUpdateInstruction(given, 'example.com.').kind).toBe(kind);
  });

  it.each([
    [record('A', { ...any, ttl: 1 }), 'FORMERR'],
    [record('A', { ...any, rdata: A }), 'FORMERR'],
    [record('AXFR', any), 'FORMERR'],
    [record('ANY', none), 'FORMERR'],
    [record('A', { ...none, ttl: 1, rdata: A }), 'FORMERR'],
    [record('ANY', { rdata: A }), 'FORMERR'],
    [record('TSIG', { rdata: A }), 'FORMERR'],
    [record('OPT', { rdata: A }), 'FORMERR'],
    [record('A', { class: RR_CLASS.CH }), 'FORMERR'],
    [record('A', outside), 'NOTZONE'],
  ] as const)('RFC 2136 s3.4.1.2: %j is %s', (given, rcode) => {
    expect(faultOf(() => readUpdateInstruction(given, 'example.com.'))).toBe(RCODE[rcode]);
  });
});

function faultOf(read: () => unknown): number | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    return error instanceof UpdateFault ? error.rcode : undefined;
  }
}
