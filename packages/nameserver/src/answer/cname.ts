import { NOT_FOUND } from '../image/directory.js';
import { firstRdata, rdataLength } from '../image/zone-block.js';
import { readLookupName } from '../wire/lookup-name.js';
import { RCODE } from '../wire/protocol.js';
import { findZoneOfSearchName } from './find-zone.js';
import { OUTCOME } from './outcome.js';
import { MAX_CNAME_CHAIN, type QueryContext } from './query-context.js';
import { writeAnswer } from './positive.js';
import { conclude } from './response.js';

/**
 * Writes a CNAME and makes its target the search name (RFC 1034 s4.3.2 step 3a). True if the target is to be looked for;
 * false if the chain ends here: it loops, is too long or does not fit, or the target is in no zone of ours.
 */
export function followCname(context: QueryContext, cname: number): boolean {
  conclude(context, OUTCOME.CNAME, RCODE.NOERROR);
  if (context.chainLength === MAX_CNAME_CHAIN || isInChain(context, cname)) return false;
  if (!writeAnswer(context, cname)) return false;
  context.chain[context.chainLength++] = cname;

  const { image, searchName } = context;
  const rdata = firstRdata(cname) + 2;
  readLookupName(searchName, image.octets, rdata, rdata + rdataLength(image, firstRdata(cname)));
  context.zone = findZoneOfSearchName(context);
  return context.zone !== NOT_FOUND;
}

/** A wildcard's CNAME leads to the same name each time, so following it twice is a loop too. */
function isInChain(context: QueryContext, cname: number): boolean {
  for (let i = 0; i < context.chainLength; i++) {
    if (context.chain[i] === cname) return true;
  }
  return false;
}
