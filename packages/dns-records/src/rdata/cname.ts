import { canonicalOwnerName } from '../names/canonical-owner-name.js';
import { RR_TYPE } from '../types/rr-type.js';
import type { RecordType } from '../fields/record-type.js';
import { singleNameCodec } from '../fields/single-name.js';
import { checkTargetName } from '../fields/target-name.js';

/** The name that the owner is an alias of (RFC 1035 s3.3.1). */
export const CNAME: RecordType = {
  ...singleNameCodec('CNAME', RR_TYPE.CNAME),
  needsPriority: false,
  checkData: checkTargetName,
  target: canonicalOwnerName,
};
