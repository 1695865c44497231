import { EXTENDED_ERROR } from '@zonewright/dns-records';
import {
  firstRdata,
  isSignedRrset,
  nextRdata,
  nextRrset,
  rrsetRecords,
  rrsetTtl,
} from '../image/zone-block.js';
import type { LookupName } from '../wire/lookup-name.js';
import { OPTION_HEADER_OCTETS } from '../wire/edns.js';
import { readInt32 } from '../wire/octets.js';
import { NO_EXTENDED_ERROR, type QueryContext } from '../message/query-context.js';
import {
  countRecords,
  writeRecordBelow,
  writeRrset,
  writeRrsetOfSameOwner,
} from '../message/response-writer.js';

/** Offset in RRSIG after the two octets of its length (RFC 4034 s3.1). */
const EXPIRATION_OFFSET = 2 + 8;
const EXTENDED_ERROR_OCTETS = OPTION_HEADER_OCTETS + 2;

/**
 * Writes an RRset into the current section and, for a query with DO, its RRSIG with the same TTL (RFC 4034 s3).
 * Returns false and writes nothing if both do not fit.
 */
export function writeSigned(
  context: QueryContext,
  rrset: number,
  owner: LookupName,
  ownerAncestor: number,
  ttl: number,
): boolean {
  const { response, image } = context;
  const end = response.end;
  const known = response.known.count;
  if (!writeRrset(response, image, rrset, owner, ownerAncestor, ttl)) return false;
  if (!context.edns.isDnssecOk || !isSignedRrset(image, rrset)) return true;
  if (writeSignatures(context, rrset, owner, ownerAncestor, ttl)) return true;
  response.end = end;
  response.known.count = known;
  return false;
}

/** Writes an NSEC and its RRSIG. Its owner is one label below a name that the message contains at `pointer`. */
export function writeSignedBelow(
  context: QueryContext,
  nsec: number,
  label: number,
  pointer: number,
): boolean {
  const { response, image, composedName } = context;
  const end = response.end;
  const ttl = rrsetTtl(image, nsec);
  if (!writeRecordBelow(response, image, nsec, label, pointer, ttl)) return false;
  if (writeSignatures(context, nsec, composedName, 0, ttl)) return true;
  response.end = end;
  return false;
}

/** Writes the signatures of the previous RRset. If they do not fit, its records are not counted. */
function writeSignatures(
  context: QueryContext,
  rrset: number,
  owner: LookupName,
  ownerAncestor: number,
  ttl: number,
): boolean {
  const { response, image } = context;
  const signatures = nextRrset(image, rrset);
  if (areExpired(context, signatures)) tellExpired(context);
  if (writeRrsetOfSameOwner(response, image, signatures, owner, ownerAncestor, ttl)) return true;
  countRecords(response, response.section, -rrsetRecords(image, rrset));
  return false;
}

/** Whether all signatures have expired. Times are compared like serials (RFC 4034 s3.1.5). */
function areExpired({ image, clockSeconds }: QueryContext, signatures: number): boolean {
  let rdata = firstRdata(signatures);
  for (let left = rrsetRecords(image, signatures); left > 0; left--) {
    if (((readInt32(image.octets, rdata + EXPIRATION_OFFSET) - clockSeconds) | 0) >= 0)
      return false;
    rdata = nextRdata(image, rdata);
  }
  return true;
}

/** Adds the extended error (RFC 8914 s4.8) if there is room. */
function tellExpired(context: QueryContext): void {
  const { response } = context;
  // This code replaces STALE_ANSWER, since it is more specific and a response has one code.
  if (context.extendedError !== EXTENDED_ERROR.STALE_ANSWER) {
    if (context.extendedError !== NO_EXTENDED_ERROR) return;
    if (response.limit - response.end < EXTENDED_ERROR_OCTETS) return;
    response.limit -= EXTENDED_ERROR_OCTETS;
  }
  context.extendedError = EXTENDED_ERROR.SIGNATURE_EXPIRED;
}
