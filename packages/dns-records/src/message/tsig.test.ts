import { describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { RR_CLASS, RR_TYPE } from '../values/rr-type.js';
import { nameToWire } from '../wire/name-to-wire.js';
import {
  answerHeader,
  MessageSyntaxError,
  opcodeOf,
  RCODE,
  rcodeOf,
  writeMessage,
} from './message.js';
import { readMessage } from './read-message.js';
import { type Tsig, TSIG_ERROR, withTsig } from './tsig-record.js';
import {
  checkRequest,
  findTsigAlgorithm,
  requestDigest,
  signRequest,
  TSIG_ALGORITHMS,
  TsigAnswerChecker,
  TsigAnswerSigner,
  type TsigKey,
  withTsigFault,
} from './tsig.js';

const NOW = 1_700_000_000;
const KEY: TsigKey = {
  name: 'key-1.',
  algorithm: 'hmac-sha256',
  secret: Buffer.from('a secret of some length'),
};
const ZONE = { name: nameToWire('Example.com.'), type: RR_TYPE.SOA, class: RR_CLASS.IN };
const UPDATE = writeMessage({
  id: 4711,
  flags: 0x2800,
  questions: [ZONE],
  authorities: [
    {
      name: nameToWire('www.example.com.'),
      type: RR_TYPE.A,
      class: RR_CLASS.IN,
      ttl: 300,
      rdata: Uint8Array.of(192, 0, 2, 1),
    },
  ],
});

function tsigOf(octets: Uint8Array): Tsig {
  const { tsig } = readMessage(octets);
  if (tsig === undefined) throw new Error('no TSIG');
  return tsig;
}

function answerTo(octets: Uint8Array, rcode = 0): Uint8Array {
  const request = readMessage(octets);
  return writeMessage({ ...answerHeader(request, rcode), questions: request.questions });
}

describe('the digest of a signed request', () => {
  const digestOf = (octets: Uint8Array) =>
    Buffer.from(requestDigest(octets, tsigOf(octets))).toString('hex');
  const signed = signRequest(UPDATE, KEY, NOW).message;
  const changed = (members: Partial<Tsig>) => withTsig(UPDATE, { ...tsigOf(signed), ...members });

  it.each([16, 17, 31])('RFC 8945 s5.2.2.1: is the same if the MAC is cut to %i octets', (most) => {
    const cut = changed({ mac: tsigOf(signed).mac.subarray(0, most) });
    expect(checkRequest(cut, tsigOf(cut), KEY, NOW)).toBeUndefined();
    expect(digestOf(cut)).toBe(digestOf(signed));
  });

  it('is the same for another id in transit, because the original id is signed', () => {
    const forwarded = Uint8Array.from(signed);
    forwarded.set([0xab, 0xcd]);
    expect(digestOf(forwarded)).toBe(digestOf(signed));
  });

  it.each([
    ['name of the key', changed({ keyName: nameToWire('key-2.') })],
    ['time of signing', changed({ timeSigned: NOW + 1 })],
    ['message', signRequest(writeMessage({ id: 4711, flags: 0x2800 }), KEY, NOW).message],
  ])('differs for another %s', (_what, other) => {
    expect(digestOf(other)).not.toBe(digestOf(signed));
  });
});

describe('TSIG of requests', () => {
  it.each(TSIG_ALGORITHMS)('RFC 8945 s6: %s signs and checks', (algorithm) => {
    const key = { ...KEY, algorithm };
    const { message, mac } = signRequest(UPDATE, key, NOW);
    const tsig = tsigOf(message);
    expect(findTsigAlgorithm(tsig)).toBe(algorithm);
    expect(tsig.mac).toEqual(mac);
    expect(checkRequest(message, tsig, key, NOW)).toBeUndefined();
    expect(opcodeOf(readMessage(message))).toBe(5);
  });

  it('RFC 8945 s4.3.3: the MAC covers the message and then these variables, in this order', () => {
    const { mac } = signRequest(UPDATE, KEY, NOW);
    const time = Buffer.alloc(6);
    time.writeUIntBE(NOW, 0, 6);
    const parts = [
      UPDATE,
      Buffer.from('\x05key-1\0', 'latin1'),
      Buffer.from([0, 255, 0, 0, 0, 0]),
      Buffer.from('\x0bhmac-sha256\0', 'latin1'),
      time,
      Buffer.from([1, 44, 0, 0, 0, 0]),
    ];
    const expected = createHmac('sha256', KEY.secret).update(Buffer.concat(parts)).digest();
    expect(Buffer.from(mac)).toEqual(expected);
  });

  it('RFC 8945 s4.2: key names are compared in any letter case', () => {
    const { message } = signRequest(UPDATE, { ...KEY, name: 'KEY-1.' }, NOW);
    expect(checkRequest(message, tsigOf(message), KEY, NOW)).toBeUndefined();
  });

  it('RFC 8945 s5.1: a forwarder may change the id, because the original id is signed', () => {
    const message = Buffer.from(signRequest(UPDATE, KEY, NOW).message);
    message.writeUInt16BE(1, 0);
    const before = Buffer.from(message);
    expect(checkRequest(message, tsigOf(message), KEY, NOW)).toBeUndefined();
    expect(message).toEqual(before);
  });

  it.each([
    ['no such key', undefined, NOW, 'BADKEY'],
    ['a key of another name', { ...KEY, name: 'key-2.' }, NOW, 'BADKEY'],
    ['a key of another algorithm', { ...KEY, algorithm: 'hmac-sha512' as const }, NOW, 'BADKEY'],
    ['another secret', { ...KEY, secret: Buffer.from('other') }, NOW, 'BADSIG'],
    ['another secret, late', { ...KEY, secret: Buffer.from('other') }, NOW + 999, 'BADSIG'],
    ['too late', KEY, NOW + 301, 'BADTIME'],
    ['too early', KEY, NOW - 301, 'BADTIME'],
    ['just in time', KEY, NOW + 300, undefined],
  ] as const)('RFC 8945 s5.2: %s', (_, key, now, fault) => {
    const { message } = signRequest(UPDATE, KEY, NOW);
    expect(checkRequest(message, tsigOf(message), key, now)).toBe(fault);
  });

  it.each([
    [32, undefined],
    [16, undefined],
    [15, 'FORMERR'],
    [9, 'FORMERR'],
    [0, 'FORMERR'],
    [33, 'FORMERR'],
  ])('RFC 8945 s5.2.2.1: checks a MAC of %i octets', (length, fault) => {
    const { mac, message } = signRequest(UPDATE, KEY, NOW);
    const cut = Buffer.concat([mac, Buffer.alloc(1)]).subarray(0, length);
    const octets = withTsig(UPDATE, { ...tsigOf(message), mac: cut });
    expect(checkRequest(octets, tsigOf(octets), KEY, NOW)).toBe(fault);
  });

  it('RFC 8945 s5.2: detects each changed octet before the TSIG', () => {
    const { message } = signRequest(UPDATE, KEY, NOW);
    for (let at = 2; at < UPDATE.length; at++) {
      const changed = Uint8Array.from(message);
      changed[at]! ^= 1;
      const tsig = tsigOrUndefined(changed);
      if (tsig === undefined) continue;
      expect(checkRequest(changed, tsig, KEY, NOW)).toBe('BADSIG');
    }
  });

  it('RFC 8945 s5.1: a TSIG that is not the last record is a format error', () => {
    const { message } = signRequest(UPDATE, KEY, NOW);
    const twice = signRequest(message, KEY, NOW).message;
    expect(() => readMessage(twice)).toThrow(MessageSyntaxError);
  });
});

function tsigOrUndefined(octets: Uint8Array): Tsig | undefined {
  try {
    return readMessage(octets).tsig;
  } catch (error) {
    expect(error).toBeInstanceOf(MessageSyntaxError);
    return undefined;
  }
}

describe('TSIG of answers', () => {
  it('RFC 8945 s5.3.1: checks each message of a stream with the MAC before it', () => {
    const { message, mac } = signRequest(UPDATE, KEY, NOW);
    const signer = new TsigAnswerSigner(KEY, mac);
    const checker = new TsigAnswerChecker(KEY, mac);
    for (let i = 0; i < 4; i++) {
      const signed = signer.sign(answerTo(message), NOW + i);
      expect(checker.check(signed, tsigOf(signed), NOW + i)).toBeUndefined();
      expect(checker.isComplete).toBe(true);
    }
  });

  it('RFC 8945 s5.3.1: refuses messages in another order, or for another request', () => {
    const { message, mac } = signRequest(UPDATE, KEY, NOW);
    const signer = new TsigAnswerSigner(KEY, mac);
    const first = signer.sign(answerTo(message), NOW);
    const second = signer.sign(answerTo(message), NOW);
    expect(new TsigAnswerChecker(KEY, mac).check(second, tsigOf(second), NOW)).toBe('BADSIG');
    const other = new TsigAnswerChecker(
      KEY,
      mac.map((octet) => octet ^ 1),
    );
    expect(other.check(first, tsigOf(first), NOW)).toBe('BADSIG');
  });

  it('RFC 8945 s5.3.1: accepts up to 99 unsigned messages, which the next MAC covers', () => {
    const { message, mac } = signRequest(UPDATE, KEY, NOW);
    const answer = answerTo(message);
    const checker = new TsigAnswerChecker(KEY, mac);
    const first = new TsigAnswerSigner(KEY, mac).sign(answer, NOW);
    expect(new TsigAnswerChecker(KEY, mac).check(answer, undefined, NOW)).toBe('BADSIG');
    expect(checker.check(first, tsigOf(first), NOW)).toBeUndefined();
    for (let i = 0; i < 99; i++) expect(checker.check(answer, undefined, NOW)).toBeUndefined();
    expect(checker.isComplete).toBe(false);
    expect(checker.check(answer, undefined, NOW)).toBe('BADSIG');
  });

  it.each(['BADKEY', 'BADSIG'] as const)('RFC 8945 s5.3.2: %s is answered unsigned', (fault) => {
    const { message } = signRequest(UPDATE, KEY, NOW);
    const answer = answerTo(message, RCODE.NOTAUTH);
    const octets = withTsigFault(answer, { tsig: tsigOf(message), fault, key: undefined }, NOW);
    expect(rcodeOf(readMessage(octets))).toBe(RCODE.NOTAUTH);
    const { mac, error, timeSigned } = tsigOf(octets);
    expect({ mac: mac.length, error, timeSigned }).toEqual({
      mac: 0,
      error: TSIG_ERROR[fault],
      timeSigned: NOW,
    });
  });

  it('RFC 8945 s5.2.3: BADTIME is signed and contains the times of both sides', () => {
    const { message, mac } = signRequest(UPDATE, KEY, NOW);
    const answer = answerTo(message, RCODE.NOTAUTH);
    const octets = withTsigFault(
      answer,
      { tsig: tsigOf(message), fault: 'BADTIME', key: KEY },
      NOW + 1000,
    );
    const tsig = tsigOf(octets);
    expect(tsig.timeSigned).toBe(NOW);
    expect(Buffer.from(tsig.other).readUIntBE(0, 6)).toBe(NOW + 1000);
    expect(new TsigAnswerChecker(KEY, mac).check(octets, tsig, NOW)).toBeUndefined();
  });
});
