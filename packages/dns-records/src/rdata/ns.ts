import { canonicalOwnerName } from '../names/canonical-owner-name.js';
import { RR_TYPE } from '../types/rr-type.js';
import type { RecordType } from '../fields/record-type.js';
import { singleNameCodec } from '../fields/single-name.js';
import { checkTargetName } from '../fields/target-name.js';

/** The name of an authoritative nameserver (RFC 1035 s3.3.11). */
export const NS: RecordType = {
  ...singleNameCodec('NS', RR_TYPE.NS),
  needsPriority: false,
  checkData: checkTargetName,
  target: canonicalOwnerName,
};
