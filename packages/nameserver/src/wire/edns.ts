import { readUint16 } from './octets.js';
import { PLAIN_UDP_OCTETS } from './protocol.js';
import { RECORD_FIXED_OCTETS } from './skip-record.js';

/** Option codes known to this server (IANA "DNS EDNS0 Option Codes"). */
export const EDNS_OPTION = {
  NSID: 3,
  COOKIE: 10,
  TCP_KEEPALIVE: 11,
  EXTENDED_ERROR: 15,
  ZONEVERSION: 19,
} as const;

/** Code and length precede the data of each option (RFC 6891 s6.1.2). */
export const OPTION_HEADER_OCTETS = 4;

export const CLIENT_COOKIE_OCTETS = 8;
/** A client cookie alone, or with a server cookie of 8 to 32 octets (RFC 7873 s4). */
const MIN_FULL_COOKIE_OCTETS = 16;
const MAX_FULL_COOKIE_OCTETS = 40;

const DO_BIT = 0x80;

/** Fields of a query's OPT record (RFC 6891). A context uses one object for all queries. */
export class EdnsRequest {
  isPresent = false;
  /** A second OPT record, a wrong owner, or a malformed option. */
  isMalformed = false;
  version = 0;
  /** Largest UDP payload the client can take; never below 512 (RFC 6891 s6.2.3). */
  payloadOctets = 0;
  isDnssecOk = false;
  wantsNsid = false;
  /** Whether the client asks for the version of the zone (RFC 9660). */
  wantsZoneVersion = false;
  /**
   * Octets of data in edns-tcp-keepalive; -1 if the option is absent. Over UDP it has no meaning (RFC 7828 s3.2.1).
   */
  keepaliveLength = -1;
  /** Offset of the COOKIE option's data in the query; -1 if the option is absent. */
  cookieStart = -1;
  cookieLength = 0;
}

export function resetEdns(edns: EdnsRequest): void {
  edns.isPresent = false;
  edns.isMalformed = false;
  edns.version = 0;
  edns.payloadOctets = PLAIN_UDP_OCTETS;
  edns.isDnssecOk = false;
  edns.wantsNsid = false;
  edns.wantsZoneVersion = false;
  edns.keepaliveLength = -1;
  edns.cookieStart = -1;
  edns.cookieLength = 0;
}

/**
 * Reads an OPT record whose fixed part starts at `fixed` and whose rdata ends at `end`; both are inside of the
 * message.
 */
export function readOpt(edns: EdnsRequest, message: Uint8Array, fixed: number, end: number): void {
  // RFC 6891 s6.1.1: more than one OPT record is FORMERR.
  if (edns.isPresent) edns.isMalformed = true;
  edns.isPresent = true;
  edns.payloadOctets = Math.max(PLAIN_UDP_OCTETS, readUint16(message, fixed + 2));
  edns.version = message[fixed + 5]!;
  edns.isDnssecOk = (message[fixed + 6]! & DO_BIT) !== 0;
  // The options of a later version are unknown.
  if (edns.version === 0) readOptions(edns, message, fixed + RECORD_FIXED_OCTETS, end);
}

function readOptions(edns: EdnsRequest, message: Uint8Array, start: number, end: number): void {
  let at = start;
  while (at < end) {
    const data = at + OPTION_HEADER_OCTETS;
    const next = data <= end ? data + readUint16(message, at + 2) : end + 1;
    if (next > end) {
      edns.isMalformed = true;
      return;
    }
    readOption(edns, readUint16(message, at), data, next - data);
    at = next;
  }
}

/** Unknown options are ignored (RFC 6891 s6.1.2). */
function readOption(edns: EdnsRequest, code: number, data: number, length: number): void {
  switch (code) {
    case EDNS_OPTION.NSID:
      edns.wantsNsid = true;
      break;
    case EDNS_OPTION.ZONEVERSION:
      edns.wantsZoneVersion = true;
      break;
    case EDNS_OPTION.TCP_KEEPALIVE:
      edns.keepaliveLength = length;
      break;
    case EDNS_OPTION.COOKIE:
      readCookie(edns, data, length);
      break;
  }
}

function readCookie(edns: EdnsRequest, data: number, length: number): void {
  // RFC 7873 s5.2: only the first COOKIE option counts.
  if (edns.cookieStart !== -1) return;
  edns.cookieStart = data;
  edns.cookieLength = length;
  const isFull = length >= MIN_FULL_COOKIE_OCTETS && length <= MAX_FULL_COOKIE_OCTETS;
  // RFC 7873 s5.2.2: any other length is FORMERR.
  if (length !== CLIENT_COOKIE_OCTETS && !isFull) edns.isMalformed = true;
}
