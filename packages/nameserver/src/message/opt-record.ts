import { RR_TYPE } from '@zonewright/dns-records';

import { NOT_FOUND } from '../image/directory.js';
import { apexLabels, apexNode, findRrset, firstRdata, nextRdata } from '../image/zone-block.js';
import { CLIENT_COOKIE_OCTETS, EDNS_OPTION, OPTION_HEADER_OCTETS } from '../wire/edns.js';
import { copyOctets, writeUint16 } from '../wire/octets.js';
import { countRecords, SECTION } from './response-writer.js';
import { NO_EXTENDED_ERROR, type QueryContext, TRANSPORT } from './query-context.js';
import { SERVER_COOKIE_OCTETS } from './server-cookies.js';

/** Octets of the root as owner, and of the fixed part of the record. */
const OPT_OCTETS = 11;
const COOKIE_OCTETS = CLIENT_COOKIE_OCTETS + SERVER_COOKIE_OCTETS;
const KEEPALIVE_OCTETS = 2;
const EXTENDED_ERROR_OCTETS = 2;
/** Number of labels, type and serial (RFC 9660 s2). */
const ZONE_VERSION_OCTETS = 6;
/** The type of a version that is the serial of the SOA (RFC 9660 s7.2). */
const SOA_SERIAL = 0;
const SERIAL_OCTETS = 4;
/** The serial and the four times at the end of an SOA's rdata (RFC 1035 s3.3.13). */
const SOA_NUMBERS_OCTETS = 20;

const DO_BIT = 0x80;

/** Octets reserved for OPT, so that complete and truncated responses carry the same one (RFC 6891 s7). */
export function optOctets(context: QueryContext): number {
  if (!context.edns.isPresent) return 0;
  let octets = OPT_OCTETS;
  if (sendsCookie(context)) octets += OPTION_HEADER_OCTETS + COOKIE_OCTETS;
  if (sendsNsid(context)) octets += OPTION_HEADER_OCTETS + context.settings.nsid.length;
  if (sendsKeepalive(context)) octets += OPTION_HEADER_OCTETS + KEEPALIVE_OCTETS;
  if (sendsExtendedError(context)) octets += OPTION_HEADER_OCTETS + EXTENDED_ERROR_OCTETS;
  if (asksForZoneVersion(context)) octets += OPTION_HEADER_OCTETS + ZONE_VERSION_OCTETS;
  return octets;
}

/** Whether options are read. Options of an unknown version or of a malformed OPT record are ignored. */
function areOptionsRead({ edns }: QueryContext): boolean {
  return !edns.isMalformed && edns.version === 0;
}

function sendsCookie(context: QueryContext): boolean {
  return areOptionsRead(context) && context.edns.cookieStart !== -1;
}

function sendsNsid(context: QueryContext): boolean {
  return areOptionsRead(context) && context.edns.wantsNsid && context.settings.nsid.length > 0;
}

/** Whether the response has edns-tcp-keepalive, which is never sent over UDP (RFC 7828 s3.3.2). */
function sendsKeepalive(context: QueryContext): boolean {
  if (context.transport !== TRANSPORT.TCP) return false;
  return areOptionsRead(context) && context.edns.keepaliveLength === 0;
}

function sendsExtendedError(context: QueryContext): boolean {
  return areOptionsRead(context) && context.extendedError !== NO_EXTENDED_ERROR;
}

/** Room is reserved before the zone is known, so this does not say that the option is sent. */
function asksForZoneVersion(context: QueryContext): boolean {
  return areOptionsRead(context) && context.edns.wantsZoneVersion;
}

/** Writes OPT (RFC 6891 s6.1.2): root, type, payload size as class, then extended rcode, version and flags as TTL. */
export function writeOpt(context: QueryContext): void {
  const { response, output, edns } = context;
  const start = context.outputStart + response.end;
  output[start] = 0;
  writeUint16(output, start + 1, RR_TYPE.OPT);
  writeUint16(output, start + 3, context.settings.maxUdpPayloadOctets);
  output[start + 5] = context.rcode >> 4;
  output[start + 6] = 0;
  // The response repeats DO; all other flags are 0 (RFC 3225 s3, RFC 6891 s6.1.4).
  output[start + 7] = edns.isDnssecOk ? DO_BIT : 0;
  output[start + 8] = 0;
  const end = writeOptions(context, start + OPT_OCTETS);
  writeUint16(output, start + OPT_OCTETS - 2, end - start - OPT_OCTETS);
  response.end = end - context.outputStart;
  countRecords(response, SECTION.ADDITIONAL, 1);
}

function writeOptions(context: QueryContext, start: number): number {
  const { output, settings } = context;
  let at = start;
  if (sendsCookie(context)) at = writeCookie(context, at);
  if (sendsNsid(context)) {
    const { nsid } = settings;
    const data = writeOptionHeader(output, at, EDNS_OPTION.NSID, nsid.length);
    copyOctets(output, data, nsid, 0, nsid.length);
    at = data + nsid.length;
  }
  if (sendsKeepalive(context)) {
    const data = writeOptionHeader(output, at, EDNS_OPTION.TCP_KEEPALIVE, KEEPALIVE_OCTETS);
    writeUint16(output, data, settings.tcpIdleTimeoutDeciseconds);
    at = data + KEEPALIVE_OCTETS;
  }
  if (sendsExtendedError(context)) {
    const data = writeOptionHeader(output, at, EDNS_OPTION.EXTENDED_ERROR, EXTENDED_ERROR_OCTETS);
    writeUint16(output, data, context.extendedError);
    at = data + EXTENDED_ERROR_OCTETS;
  }
  if (asksForZoneVersion(context)) at = writeZoneVersion(context, at);
  return at;
}

/**
 * Writes the version of the zone that answered the question: in answers, denials and referrals (RFC 9660 s3.2). Writes
 * nothing if no zone answered, or if the zone has no content yet.
 */
function writeZoneVersion(context: QueryContext, at: number): number {
  const { image, output, zoneOfQuestion: zone } = context;
  if (zone === NOT_FOUND) return at;
  const soa = findRrset(image, apexNode(image, zone), RR_TYPE.SOA);
  if (soa === NOT_FOUND) return at;
  const data = writeOptionHeader(output, at, EDNS_OPTION.ZONEVERSION, ZONE_VERSION_OCTETS);
  output[data] = apexLabels(image, zone);
  output[data + 1] = SOA_SERIAL;
  // The serial in the header of a secondary zone's block is the database's, not the primary's.
  const serial = nextRdata(image, firstRdata(soa)) - SOA_NUMBERS_OCTETS;
  copyOctets(output, data + 2, image.octets, serial, SERIAL_OCTETS);
  return data + ZONE_VERSION_OCTETS;
}

/** Writes the client's cookie and a fresh server cookie (RFC 7873 s5.2.3, RFC 9018 s4.3). */
function writeCookie(context: QueryContext, at: number): number {
  const { output, input, edns } = context;
  const data = writeOptionHeader(output, at, EDNS_OPTION.COOKIE, COOKIE_OCTETS);
  copyOctets(output, data, input, edns.cookieStart, CLIENT_COOKIE_OCTETS);
  context.cookies.write(output, data + CLIENT_COOKIE_OCTETS, context.clockSeconds);
  return data + COOKIE_OCTETS;
}

/** Returns the offset at which the data of the option starts. */
function writeOptionHeader(output: Uint8Array, at: number, code: number, length: number): number {
  writeUint16(output, at, code);
  writeUint16(output, at + 2, length);
  return at + OPTION_HEADER_OCTETS;
}
