import { canonicalOwnerName } from '../names/canonical-owner-name.js';
import { RR_TYPE } from '../types/rr-type.js';
import type { RecordType } from './record-type.js';
import { singleNameCodec } from './single-name.js';
import { checkTargetName } from './target-name.js';

/** The name of an authoritative nameserver (RFC 1035 s3.3.11). */
export const NS: RecordType = {
  ...singleNameCodec('NS', RR_TYPE.NS),
  needsPriority: false,
  checkData: checkTargetName,
  target: canonicalOwnerName,
};
