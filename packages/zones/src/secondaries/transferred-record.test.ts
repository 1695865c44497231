import { describe, expect, it } from '@jest/globals';
import { type MessageRecord, nameToWire, RR_CLASS, RR_TYPE } from '@zonewright/dns-records';
import { toRecordContent } from './transferred-record.js';

function take(change: Partial<MessageRecord> = {}) {
  const record: MessageRecord = {
    ...{ name: nameToWire('WWW.Example.'), type: RR_TYPE.A, class: RR_CLASS.IN, ttl: 300 },
    rdata: Uint8Array.of(192, 0, 2, 1),
    ...change,
  };
  return toRecordContent(record, 'example.');
}

describe('toRecordContent', () => {
  it('accepts a record in the form that users write', () => {
    expect(take()).toMatchObject({
      ...{ name: 'www.example.', type: 'A', data: '192.0.2.1', priority: null, ttl: 300 },
      ...{ description: null, rdata: Buffer.of(192, 0, 2, 1) },
    });
  });

  it.each([
    [0, 0],
    [0x7fff_ffff, 0x7fff_ffff],
    [0x8000_0000, 0],
    [0xffff_ffff, 0],
  ])('RFC 2181 s8: a TTL of %i is %i', (ttl, expected) => {
    expect(take({ ttl }).ttl).toBe(expected);
  });

  it('RFC 3597 s5: keeps the octets of unknown types', () => {
    expect(take({ type: 65_300 })).toMatchObject({
      ...{ type: 'TYPE65300', data: String.raw`\# 4 c0000201`, priority: null },
    });
    expect(take({ type: 65_300, rdata: new Uint8Array() }).data).toBe(String.raw`\# 0`);
  });

  it('distinguishes names within rdata by more than their letter case', () => {
    const digestOf = (type: number, target: string) =>
      take({ type, rdata: nameToWire(target) }).digest.toString('hex');
    expect(digestOf(RR_TYPE.NS, 'NS.example.')).toBe(digestOf(RR_TYPE.NS, 'ns.example.'));
    expect(digestOf(65_300, 'NS.example.')).not.toBe(digestOf(65_300, 'ns.example.'));
  });

  it.each([
    [0, 'TYPE0'],
    [RR_TYPE.OPT, 'OPT'],
    [128, 'TYPE128'],
    [RR_TYPE.ANY, 'ANY'],
  ])('RFC 6895 s3.1: refuses the type %i', (type, mnemonic) => {
    expect(() => take({ type })).toThrow(
      `www.example. has a record of class 1 and type ${mnemonic}`,
    );
  });

  it.each([127, 256])('accepts the type %i', (type) => {
    expect(take({ type, rdata: Uint8Array.of(0, 1, 0, 1, 1, 120) }).name).toBe('www.example.');
  });

  it('refuses another class, and names outside of the zone', () => {
    expect(() => take({ class: RR_CLASS.CH })).toThrow('has a record of class 3');
    for (const name of ['www.example.net.', 'an-example.'])
      expect(() => take({ name: nameToWire(name) })).toThrow(`${name} is outside the zone`);
  });
});
