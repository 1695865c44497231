import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { RR_CLASS } from '../values/rr-type.js';
import { lowerCaseOctets } from '../wire/octets.js';
import { nameToWire } from '../wire/name-to-wire.js';
import { concatOctets, readUint16, uint16sToOctets, uint32sToOctets } from '../wire/octets.js';
import { wireToName } from '../wire/wire-to-name.js';
import { type Tsig, TSIG_ERROR, uint48ToOctets, withoutTsig, withTsig } from './tsig-record.js';

/** Algorithms of RFC 8945 s6, without HMAC-MD5, which must not be used. */
const HASHES = {
  'hmac-sha1': 'sha1',
  'hmac-sha224': 'sha224',
  'hmac-sha256': 'sha256',
  'hmac-sha384': 'sha384',
  'hmac-sha512': 'sha512',
} as const;

export type TsigAlgorithm = keyof typeof HASHES;

export const TSIG_ALGORITHMS = Object.keys(HASHES) as readonly TsigAlgorithm[];

/** Recommended value (RFC 8945 s10). */
const FUDGE_SECONDS = 300;
/** Minimum length of a truncated MAC (RFC 8945 s5.2.2.1). */
const MIN_MAC_OCTETS = 10;
/** Maximum number of messages without a TSIG between two with one in a stream (RFC 8945 s5.3.1). */
const MAX_UNSIGNED = 99;

export interface TsigKey {
  /** Name as absolute text, such as `key-1.`, in any letter case. */
  readonly name: string;
  readonly algorithm: TsigAlgorithm;
  readonly secret: Uint8Array;
}

/** Error of the TSIG of a message (RFC 8945 s5.2, s5.3.2). */
export type TsigFault = Exclude<keyof typeof TSIG_ERROR, 'NOERROR'>;

export interface SignedMessage {
  readonly message: Uint8Array;
  readonly mac: Uint8Array;
}

/** Returns the algorithm of a TSIG. Undefined if it is not supported (BADKEY). */
export function findTsigAlgorithm({ algorithm }: Tsig): TsigAlgorithm | undefined {
  const name = wireToName(algorithm).slice(0, -1);
  return TSIG_ALGORITHMS.find((known) => known === name);
}

/** Signs a request (RFC 8945 s5.1). */
export function signRequest(message: Uint8Array, key: TsigKey, nowSeconds: number): SignedMessage {
  return sign(message, key, FIRST, times(nowSeconds));
}

/**
 * Checks the MAC first, then the time, so that senders without the key learn nothing (RFC 8945 s5.2). `octets` is the
 * whole message with the TSIG.
 */
export function checkRequest(
  octets: Uint8Array,
  tsig: Tsig,
  key: TsigKey | undefined,
  nowSeconds: number,
): TsigFault | undefined {
  return check({ octets, tsig }, key, FIRST, nowSeconds);
}

/**
 * Returns a digest that identifies a signed request: the message without its TSIG, the key name and the signing time.
 * Two copies whose MACs are truncated to different lengths (RFC 8945 s5.2.2.1) have the same digest.
 */
export function requestDigest(octets: Uint8Array, tsig: Tsig): Uint8Array {
  const { keyName, timeSigned } = tsig;
  const hash = createHash('sha256').update(uint16sToOctets(keyName.length)).update(keyName);
  return hash.update(uint48ToOctets(timeSigned)).update(withoutTsig(octets, tsig)).digest();
}

/** Signs the response to a request: one message, or the messages of a TCP stream in order (RFC 8945 s5.3, s5.3.1). */
export class TsigAnswerSigner {
  readonly #key: TsigKey;
  #place: Place;

  constructor(key: TsigKey, requestMac: Uint8Array) {
    this.#key = key;
    this.#place = { before: [withLength(requestMac)], isFirst: true };
  }

  sign(message: Uint8Array, nowSeconds: number): Uint8Array {
    const signed = sign(message, this.#key, this.#place, times(nowSeconds));
    this.#place = { before: [withLength(signed.mac)], isFirst: false };
    return signed.message;
  }
}

/** Verifies the messages of a response in order. Up to 99 unsigned messages may be between two signed ones. */
export class TsigAnswerChecker {
  readonly #key: TsigKey;
  #place: Place;

  constructor(key: TsigKey, requestMac: Uint8Array) {
    this.#key = key;
    this.#place = { before: [withLength(requestMac)], isFirst: true };
  }

  /** Whether a MAC covers all messages so far. The last message of a stream must have one. */
  get isComplete(): boolean {
    const { before, isFirst } = this.#place;
    return !isFirst && before.length === 1;
  }

  check(octets: Uint8Array, tsig: Tsig | undefined, nowSeconds: number): TsigFault | undefined {
    const { before, isFirst } = this.#place;
    if (tsig === undefined) {
      if (isFirst || before.length > MAX_UNSIGNED) return 'BADSIG';
      this.#place = { before: [...before, Uint8Array.from(octets)], isFirst };
      return undefined;
    }
    const fault = check({ octets, tsig }, this.#key, this.#place, nowSeconds);
    if (fault === undefined) this.#place = { before: [withLength(tsig.mac)], isFirst: false };
    return fault;
  }
}

/** Request with an invalid TSIG. */
interface FaultyRequest {
  readonly tsig: Tsig;
  readonly fault: TsigFault;
  /** Undefined if the key is unknown (BADKEY). */
  readonly key: TsigKey | undefined;
}

/**
 * Returns the response to a request with an invalid TSIG (RFC 8945 s5.3.2): without a MAC for BADKEY and BADSIG,
 * otherwise signed. `answer` already has the rcode NOTAUTH.
 */
export function withTsigFault(
  answer: Uint8Array,
  { tsig, fault, key }: FaultyRequest,
  nowSeconds: number,
): Uint8Array {
  const { timeSigned, fudge, keyName, algorithm, mac } = tsig;
  const nothing = new Uint8Array();
  const other = fault === 'BADTIME' ? uint48ToOctets(nowSeconds) : nothing;
  const numbers = { timeSigned, fudge, error: TSIG_ERROR[fault], other };
  if (key !== undefined && (fault === 'BADTIME' || fault === 'BADTRUNC')) {
    return sign(answer, key, { before: [withLength(mac)], isFirst: true }, numbers).message;
  }
  const originalId = readUint16(answer, 0);
  return withTsig(answer, { ...numbers, keyName, algorithm, mac: nothing, originalId });
}

/** Position of a message in an exchange. */
interface Place {
  /** Data that is signed before the message itself. */
  readonly before: readonly Uint8Array[];
  /** Whether it is the first message. Later ones are signed only with the times (RFC 8945 s5.3.1). */
  readonly isFirst: boolean;
}

const FIRST: Place = { before: [], isFirst: true };

type Numbers = Pick<Tsig, 'timeSigned' | 'fudge' | 'error' | 'other'>;

function times(nowSeconds: number): Numbers {
  return {
    timeSigned: Math.floor(nowSeconds),
    fudge: FUDGE_SECONDS,
    error: TSIG_ERROR.NOERROR,
    other: new Uint8Array(),
  };
}

function sign(message: Uint8Array, key: TsigKey, place: Place, numbers: Numbers): SignedMessage {
  const names = {
    keyName: lowerCaseOctets(nameToWire(key.name)),
    algorithm: nameToWire(`${key.algorithm}.`),
  };
  const tsig = { ...numbers, ...names };
  const mac = macOf(key, place, message, tsig);
  const originalId = readUint16(message, 0);
  return { message: withTsig(message, { ...tsig, mac, originalId }), mac };
}

function check(
  { octets, tsig }: { readonly octets: Uint8Array; readonly tsig: Tsig },
  key: TsigKey | undefined,
  place: Place,
  nowSeconds: number,
): TsigFault | undefined {
  if (key === undefined || !isKeyOf(tsig, key)) return 'BADKEY';
  const { mac, timeSigned, fudge } = tsig;
  const right = macOf(key, place, withoutTsig(octets, tsig), tsig);
  // A response that reports a bad key or MAC has no MAC (RFC 8945 s5.3.2). A request must have one.
  if (mac.length === 0 && place.before.length > 0) return 'BADSIG';
  const least = Math.max(MIN_MAC_OCTETS, right.length / 2);
  if (mac.length > right.length || mac.length < least) return 'FORMERR';
  if (!timingSafeEqual(right.subarray(0, mac.length), mac)) return 'BADSIG';
  return Math.abs(nowSeconds - timeSigned) > fudge ? 'BADTIME' : undefined;
}

function isKeyOf(tsig: Tsig, { name, algorithm }: TsigKey): boolean {
  if (findTsigAlgorithm(tsig) !== algorithm) return false;
  return Buffer.compare(lowerCaseOctets(nameToWire(name)), tsig.keyName) === 0;
}

function macOf(
  { algorithm, secret }: TsigKey,
  { before, isFirst }: Place,
  message: Uint8Array,
  tsig: Variables,
): Uint8Array {
  const hmac = createHmac(HASHES[algorithm], secret);
  for (const part of [...before, message]) hmac.update(part);
  return new Uint8Array(hmac.update(isFirst ? variables(tsig) : timers(tsig)).digest());
}

type Variables = Omit<Tsig, 'mac' | 'originalId' | 'start'>;

/** Returns the TSIG variables (RFC 8945 s4.3.3). */
function variables(tsig: Variables): Uint8Array {
  return concatOctets([
    tsig.keyName,
    uint16sToOctets(RR_CLASS.ANY),
    uint32sToOctets(0),
    tsig.algorithm,
    timers(tsig),
    uint16sToOctets(tsig.error, tsig.other.length),
    tsig.other,
  ]);
}

/** Returns the TSIG timers, used from the second message of a stream on (RFC 8945 s4.3.3.1). */
function timers({ timeSigned, fudge }: Pick<Tsig, 'timeSigned' | 'fudge'>): Uint8Array {
  return concatOctets([uint48ToOctets(timeSigned), uint16sToOctets(fudge)]);
}

function withLength(mac: Uint8Array): Uint8Array {
  return concatOctets([uint16sToOctets(mac.length), mac]);
}
