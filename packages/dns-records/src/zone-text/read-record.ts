import { DnsSyntaxError, inQuotes, RdataSyntaxError } from '../values/problem.js';
import { hasRdataCodec } from '../rdata/rdata.js';
import { RECORD_TYPES, whyNotWritable } from '../rdata/record-types.js';
import { classNumber, RR_CLASS, typeMnemonic, typeNumber } from '../values/rr-type.js';
import { isDigit, readUint32 } from '../wire/octets.js';
import type { Entry, Token } from './entry-scanner.js';
import { readRdata } from './read-rdata.js';
import { readOwnerName, readTtl, type ZoneState } from './zone-state.js';
import {
  InvalidSoaError,
  UnsupportedTypeError,
  ZoneSyntaxError,
  type ZoneTextRecord,
} from './zone-text.js';

const TYPES = Object.keys(RECORD_TYPES);

/** Reads the record of an entry: owner, then TTL and class in any order, type, rdata (RFC 1035 s5.1). */
export function readRecord(entry: Entry, state: ZoneState): ZoneTextRecord {
  const ownerName = readOwner(entry, state);
  const header = readHeader(entry.tokens.slice(entry.startsBlank ? 0 : 1));
  // A TTL also applies to later records, even if the rdata of this one is rejected.
  state.lastTtl = header.ttl ?? state.lastTtl;
  const { type } = header;
  const { data, priority, rdata } = readData(ownerName, header, state);
  const ttl = chooseTtl(header, rdata, state);
  const { line } = entry;
  const record = { ownerName, type, ttl, rdata, data, priority, line };
  const comment = entry.comment?.trim() ?? '';
  return comment === '' ? record : { ...record, comment };
}

/** RFC 1035 s5.1, RFC 2308 s4. */
function chooseTtl({ ttl, type }: Header, rdata: Uint8Array, state: ZoneState): number {
  const stated = ttl ?? state.defaultTtl ?? state.lastTtl ?? soaMinimum(type, rdata);
  // If the TTL of the SOA came from its minimum, it is the last stated TTL for other records.
  state.lastTtl ??= stated;
  const chosen = stated ?? state.fallbackTtl;
  if (chosen !== undefined) return chosen;
  throw new ZoneSyntaxError('The record has no TTL; write one, or a line "$TTL 3600" before it.');
}

/** Reads the rdata. The error for an invalid SOA record contains the owner name, which is the name of the zone. */
function readData(ownerName: string, { type, rdataTokens }: Header, state: ZoneState) {
  try {
    return readRdata(type, rdataTokens, state);
  } catch (error) {
    if (type === 'SOA' && error instanceof DnsSyntaxError) {
      throw new InvalidSoaError(error.message, ownerName);
    }
    throw error;
  }
}

function readOwner(entry: Entry, state: ZoneState): string {
  const [token] = entry.tokens;
  if (!entry.startsBlank && token !== undefined) {
    state.ownerName = undefined;
    state.ownerName = readOwnerName(token, state);
  }
  if (state.ownerName === undefined) {
    throw new ZoneSyntaxError(
      'The line begins with a blank, but no valid owner name precedes it; begin the line with the name.',
    );
  }
  return state.ownerName;
}

interface Header {
  readonly type: string;
  readonly ttl: number | undefined;
  readonly rdataTokens: readonly Token[];
}

function readHeader(tokens: readonly Token[]): Header {
  let ttl: number | undefined;
  let hasClass = false;
  for (const [index, { text, quoted }] of tokens.entries()) {
    if (!quoted && ttl === undefined && isDigit(text.charCodeAt(0))) {
      ttl = readTtl(text);
    } else if (!quoted && !hasClass && classNumber(text) !== undefined) {
      requireInternetClass(text);
      hasClass = true;
    } else {
      return { type: readType(text), ttl, rdataTokens: tokens.slice(index + 1) };
    }
  }
  throw new ZoneSyntaxError('The record has no type; write for example "www 3600 IN A 192.0.2.1".');
}

function requireInternetClass(text: string): void {
  if (classNumber(text) !== RR_CLASS.IN) {
    throw new ZoneSyntaxError(
      `The class ${inQuotes(text)} is not supported; write IN, or leave the class out.`,
    );
  }
}

function readType(text: string): string {
  const number = typeNumber(text);
  const type = number === undefined ? undefined : typeMnemonic(number);
  if (type !== undefined && hasRdataCodec(type)) return type;
  const message = `The type ${inQuotes(text)} ${whyNotWritable(text, TYPES)}.`;
  throw type === undefined ? new RdataSyntaxError(message) : new UnsupportedTypeError(message);
}

/** Returns the last field of the SOA, which is the default TTL if there is no other, as in BIND and before RFC 2308. */
function soaMinimum(type: string, rdata: Uint8Array): number | undefined {
  return type === 'SOA' ? readTtl(String(readUint32(rdata, rdata.length - 4))) : undefined;
}
