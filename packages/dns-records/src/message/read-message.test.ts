import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RR_CLASS, RR_TYPE } from '../values/rr-type.js';
import { nameToWire } from '../wire/name-to-wire.js';
import { wireToName } from '../wire/wire-to-name.js';
import { MessageSyntaxError, writeMessage } from './message.js';
import { readMessage } from './read-message.js';
import { signRequest } from './tsig.js';

const HEADER = [0, 1, 0x28, 0, 0, 1, 0, 0, 0, 0, 0, 0];

function record(type: number, rdata: Uint8Array) {
  return { name: nameToWire('www.example.com.'), type, class: RR_CLASS.IN, ttl: 300, rdata };
}

const MESSAGE = {
  id: 7,
  flags: 0x2800,
  questions: [{ name: nameToWire('example.com.'), type: RR_TYPE.SOA, class: RR_CLASS.IN }],
  answers: [record(RR_TYPE.MX, Buffer.concat([Buffer.from([0, 10]), nameToWire('Mx.example.')]))],
  authorities: [record(RR_TYPE.TXT, Uint8Array.of(1, 97)), record(RR_TYPE.A, new Uint8Array())],
  additionals: [record(RR_TYPE.A, Uint8Array.of(192, 0, 2, 1))],
};

describe('messages', () => {
  it('RFC 1035 s4.1: reads a written message', () => {
    const read = readMessage(writeMessage(MESSAGE));
    const plain = JSON.parse(JSON.stringify({ ...read, tsig: undefined })) as unknown;
    const wanted = {
      ...MESSAGE,
      answers: [record(RR_TYPE.MX, Uint8Array.from(MESSAGE.answers[0]!.rdata))],
    };
    expect(plain).toEqual(JSON.parse(JSON.stringify(wanted)));
  });

  it.each([
    ['MB', 7, ''],
    ['MINFO', 14, ''],
    ['RT', 21, '000a'],
    ['SIG', 24, '00'.repeat(18)],
    ['PX', 26, '000a'],
    ['NXT', 30, ''],
    ['NAPTR', 35, '000a000a01550161026262'],
    ['KX', 36, '000a'],
    ['DNAME', 39, ''],
  ])('RFC 3597 s4: reads compressed names in %s', (type, number, before) => {
    const isTwo = type === 'MINFO' || type === 'PX';
    const rest = type === 'SIG' || type === 'NXT' ? 'abcdef' : '';
    const pointers = `c00c${isTwo ? 'c00c' : ''}`;
    const rdata = Buffer.from(before + pointers + rest, 'hex');
    const octets = writeMessage({
      ...MESSAGE,
      answers: [record(number, rdata)],
      authorities: [],
      additionals: [],
    });
    const name = Buffer.from(nameToWire('example.com.')).toString('hex');
    const read = readMessage(octets).answers[0]!.rdata;
    expect(Buffer.from(read).toString('hex')).toBe(before + name + (isTwo ? name : '') + rest);
  });

  it('RFC 3597 s4: does not follow pointers in names of newer types', () => {
    const rdata = Buffer.from('0001c00c', 'hex');
    const octets = writeMessage({ ...MESSAGE, answers: [record(64, rdata)] });
    expect(Buffer.from(readMessage(octets).answers[0]!.rdata)).toEqual(rdata);
  });

  it('RFC 1035 s4.1.4: follows pointers backwards, in owner names and in rdata of the older types', () => {
    const octets = Uint8Array.from([
      ...[0, 1, 0x28, 0, 0, 1, 0, 0, 0, 1, 0, 0],
      ...[3, 99, 111, 109, 0, 0, 6, 0, 1],
      ...[1, 97, 0xc0, 12, 0, 5, 0, 1, 0, 0, 0, 9, 0, 4, 1, 98, 0xc0, 12],
    ]);
    const [alias] = readMessage(octets).authorities;
    expect(wireToName(alias!.name)).toBe('a.com.');
    expect(wireToName(alias!.rdata)).toBe('b.com.');
  });

  it.each([
    ['nothing', []],
    ['less than a header', HEADER.slice(0, 11)],
    ['a count that lies', HEADER],
    ['a pointer to itself', [...HEADER, 0xc0, 12, 0, 6, 0, 1]],
    ['a pointer forward', [...HEADER, 0xc0, 14, 0, 6, 0, 1]],
    ['a pointer into its own name', [...HEADER, 1, 97, 0xc0, 12, 0, 6, 0, 1]],
    ['half a pointer', [...HEADER, 0xc0]],
    ['an unknown kind of label', [...HEADER, 0x41, 0, 6, 0, 1]],
    ['a label past the end', [...HEADER, 63, 97]],
    ['something behind', [...HEADER, 0, 0, 6, 0, 1, 0]],
  ])('RFC 1035 s4.1.4: refuses %s', (_, octets) => {
    expect(() => readMessage(Uint8Array.from(octets))).toThrow(MessageSyntaxError);
  });

  it('a chain of pointers costs no more than a name', () => {
    const chain: number[] = [];
    for (let at = 12; at < 2000; at += 2) chain.push(0xc0 | (at >> 8), at & 0xff);
    const octets = Uint8Array.from([...HEADER, 0, 0, ...chain]);
    expect(() => readMessage(octets)).toThrow(MessageSyntaxError);
  });

  it('reads or refuses any changed message, and throws no other error', () => {
    const key = { name: 'k.', algorithm: 'hmac-sha256', secret: Buffer.alloc(32) } as const;
    const { message } = signRequest(writeMessage(MESSAGE), key, 1_700_000_000);
    const change = fc.tuple(fc.nat(message.length - 1), fc.nat(255));
    fc.assert(
      fc.property(fc.array(change, { maxLength: 8 }), fc.nat(message.length), (changes, length) => {
        const mutated = message.slice(0, length === 0 ? undefined : length);
        for (const [at, octet] of changes) if (at < mutated.length) mutated[at] = octet;
        try {
          readMessage(mutated);
        } catch (error) {
          expect(error).toBeInstanceOf(MessageSyntaxError);
        }
      }),
      { numRuns: 3000 },
    );
  });
});
