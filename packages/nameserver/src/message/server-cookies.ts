import { CLIENT_COOKIE_OCTETS } from '../wire/edns.js';
import { copyOctets, readInt32, writeUint32 } from '../wire/octets.js';
import { SIPHASH_OCTETS, SipHash } from '../wire/siphash.js';

/*
 * Server cookie of RFC 9018 s4. Every server with the same secret creates and accepts the same cookies:
 *
 *   version 1, three octets 0 | seconds 4 | SipHash-2-4(client cookie, version to seconds, client address) 8
 *
 * The three octets are hashed as received, whatever their value is (s4.2).
 */
export const SERVER_COOKIE_OCTETS = 16;
const VERSION = 1;
const TIMESTAMP_OFFSET = 4;
const HASH_OFFSET = 8;

/** A cookie is valid for an hour, and the clock of another server may be up to five minutes ahead (RFC 9018 s4.3). */
const MAX_AGE_SECONDS = 3600;
const MAX_AHEAD_SECONDS = 300;
const ADDRESS_OFFSET = CLIENT_COOKIE_OCTETS + HASH_OFFSET;
const ADDRESS_OCTETS = 16;
const FIRST_IPV4_OCTET = 12;

/** Creates and checks server cookies, for one client at a time, so that a query allocates nothing. */
export class ServerCookies {
  readonly #hashers: readonly SipHash[];
  /** Input of the hash: client cookie, server cookie without its hash, client address. */
  readonly #message = new Uint8Array(ADDRESS_OFFSET + ADDRESS_OCTETS);
  #messageLength = 0;
  readonly #hash = new Uint8Array(SIPHASH_OCTETS);

  /** Secrets, at least one. New cookies use the first. */
  constructor(secrets: readonly Uint8Array[]) {
    if (secrets.length === 0) throw new Error('Server cookies need a secret.');
    this.#hashers = secrets.map((secret) => new SipHash(secret));
  }

  /** Sets the client for the other methods. Its cookie is at `start`, and its address has 16 octets. */
  setClient(query: Uint8Array, start: number, address: Uint8Array): void {
    copyOctets(this.#message, 0, query, start, CLIENT_COOKIE_OCTETS);
    const skipped = isIpv4Mapped(address) ? FIRST_IPV4_OCTET : 0;
    const length = ADDRESS_OCTETS - skipped;
    copyOctets(this.#message, ADDRESS_OFFSET, address, skipped, length);
    this.#messageLength = ADDRESS_OFFSET + length;
  }

  /** Whether the SERVER_COOKIE_OCTETS octets at `start` are a valid cookie of this client. */
  isValid(query: Uint8Array, start: number, nowSeconds: number): boolean {
    if (query[start] !== VERSION) return false;
    const age = cookieAgeSeconds(query, start, nowSeconds);
    if (age > MAX_AGE_SECONDS || age < -MAX_AHEAD_SECONDS) return false;
    copyOctets(this.#message, CLIENT_COOKIE_OCTETS, query, start, HASH_OFFSET);
    for (const hasher of this.#hashers) {
      hasher.hash(this.#message, this.#messageLength, this.#hash, 0);
      if (this.#isHash(query, start + HASH_OFFSET)) return true;
    }
    return false;
  }

  /** Writes a fresh cookie for this client. */
  write(output: Uint8Array, at: number, nowSeconds: number): void {
    writeUint32(output, at, VERSION << 24);
    writeUint32(output, at + TIMESTAMP_OFFSET, nowSeconds);
    copyOctets(this.#message, CLIENT_COOKIE_OCTETS, output, at, HASH_OFFSET);
    this.#hashers[0]?.hash(this.#message, this.#messageLength, output, at + HASH_OFFSET);
  }

  /** The comparison takes constant time, so that timing does not reveal a hash octet by octet. */
  #isHash(query: Uint8Array, start: number): boolean {
    let difference = 0;
    for (let i = 0; i < SIPHASH_OCTETS; i++) {
      difference |= (query[start + i] ?? 0) ^ (this.#hash[i] ?? 0);
    }
    return difference === 0;
  }
}

/**
 * Returns the age of a cookie. The 32-bit clock wraps around in 2106, which serial number arithmetic tolerates (RFC
 * 1982).
 */
function cookieAgeSeconds(query: Uint8Array, start: number, nowSeconds: number): number {
  return (nowSeconds - readInt32(query, start + TIMESTAMP_OFFSET)) | 0;
}

/**
 * Whether an address is IPv4: the hash covers four octets of an IPv4 address, and sixteen of an IPv6 address (RFC 9018
 * s4.4).
 */
function isIpv4Mapped(address: Uint8Array): boolean {
  for (let i = 0; i < FIRST_IPV4_OCTET; i++) {
    if (address[i] !== (i < 10 ? 0 : 0xff)) return false;
  }
  return true;
}
