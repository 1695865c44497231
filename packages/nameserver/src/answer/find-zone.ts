import { RR_TYPE } from '@zonewright/dns-records';
import { findEnclosingZone, NOT_FOUND } from '../image/directory.js';
import { NODE_FLAG } from '../image/layout.js';
import { apexLength, findNode, hasNodeFlag, isSameApex } from '../image/zone-block.js';
import type { QueryContext } from '../message/query-context.js';
import type { LookupName } from '../wire/lookup-name.js';

/** Finds the zone that answers for the search name: the closest that encloses it (RFC 1034 s4.3.2 step 2). */
export function findZoneOfSearchName(context: QueryContext): number {
  const { image, searchName } = context;
  context.isAskedOfParent = false;
  const zone = findZone(context, searchName, 0);
  if (context.qtype !== RR_TYPE.DS || zone === NOT_FOUND) return zone;
  if (apexLength(image, zone) !== searchName.length) return zone;
  // The DS of an apex is in the parent (RFC 4035 s3.1.4.1). If the parent is not on this server, or delegated the name
  // further up, the child answers NODATA.
  const parent = findZone(context, searchName, 1);
  if (parent === NOT_FOUND || isBelowCut(context, parent)) return zone;
  context.isAskedOfParent = true;
  return parent;
}

/** Whether this zone has a cut or a DNAME above the search name. */
function isBelowCut(context: QueryContext, zone: number): boolean {
  const { image, searchName } = context;
  let ancestor = 0;
  let node = findNode(image, zone, searchName, 0);
  // The apex always exists, so the loop ends.
  while (node === NOT_FOUND) node = findNode(image, zone, searchName, ++ancestor);
  const hiding = ancestor === 0 ? 0 : NODE_FLAG.CUT | NODE_FLAG.DNAME;
  return hasNodeFlag(image, node, NODE_FLAG.BELOW_CUT | hiding);
}

/**
 * Finds the closest zone that encloses an ancestor of a name. A zone that this query has already used is used again in
 * the same version, even after its replacement, because an answer never mixes versions.
 */
export function findZone(context: QueryContext, name: LookupName, fromAncestor: number): number {
  const { image, zones } = context;
  const zone = findEnclosingZone(image, name, fromAncestor);
  if (zone === NOT_FOUND || isHiddenCatalog(context, zone, name)) return NOT_FOUND;
  for (let i = 0; i < context.zoneCount; i++) {
    const known = zones[i] ?? NOT_FOUND;
    if (known === zone || isSameApex(image, known, zone)) return known;
  }
  if (context.zoneCount < zones.length) zones[context.zoneCount++] = zone;
  return zone;
}

/** Returns the number of the search name's ancestor that is the apex of `context.zone`. */
export function apexAncestor(context: QueryContext): number {
  const { searchName } = context;
  const apexStart = searchName.length - apexLength(context.image, context.zone);
  let ancestor = context.nodeAncestor;
  while (searchName.starts[ancestor] !== apexStart) ancestor++;
  return ancestor;
}

const SUFFIX = Buffer.from('\x07catalog\x07invalid\0', 'latin1');
/** Id of a peer, a UUID. */
const ID_OCTETS = 36;
const CATALOG_OCTETS = 1 + ID_OCTETS + SUFFIX.length;

/**
 * Whether the zone of a name is a catalog that the query may not see. A catalog lists the zones of a tenant, so only
 * the key of its peer shows it (RFC 9432 s6). The name may also be the target of an alias.
 */
function isHiddenCatalog({ image, signed }: QueryContext, zone: number, name: LookupName): boolean {
  if (apexLength(image, zone) !== CATALOG_OCTETS) return false;
  const end = name.length;
  const apex = Buffer.from(name.lower.subarray(end - CATALOG_OCTETS, end));
  if (!apex.subarray(1 + ID_OCTETS).equals(SUFFIX)) return false;
  const id = apex.toString('latin1', 1, 1 + ID_OCTETS);
  const isOfPeer = signed?.key?.name === `peer-${id}.` && signed.fault === undefined;
  return !isOfPeer;
}
