import { apexLength } from '../image/zone-block.js';
import type { LookupName } from '../wire/lookup-name.js';
import type { QueryContext } from './query-context.js';

const SUFFIX = Buffer.from('\x07catalog\x07invalid\0', 'latin1');
/** The id of a peer, a UUID. */
const ID_OCTETS = 36;
const CATALOG_OCTETS = 1 + ID_OCTETS + SUFFIX.length;

/**
 * Whether the zone of a name is a catalog that the query may not see. A catalog lists the zones of a tenant, so only
 * the key of its peer shows it (RFC 9432 s6). The name may also be the target of an alias.
 */
export function isHiddenCatalog(
  { image, signed }: QueryContext,
  zone: number,
  name: LookupName,
): boolean {
  if (apexLength(image, zone) !== CATALOG_OCTETS) return false;
  const end = name.length;
  const apex = Buffer.from(name.lower.subarray(end - CATALOG_OCTETS, end));
  if (!apex.subarray(1 + ID_OCTETS).equals(SUFFIX)) return false;
  const id = apex.toString('latin1', 1, 1 + ID_OCTETS);
  const isOfPeer = signed?.key?.name === `peer-${id}.` && signed.fault === undefined;
  return !isOfPeer;
}
