export { canonicalKey, type CanonicalKey, endOfSubtree, nameOfKey } from './canonical.js';
export { canonicalRdatas, type Rrset } from './canonical.js';
export {
  CDNSKEY_DELETE,
  CDS_DELETE,
  CSK_FLAGS,
  DIGEST_TYPES,
  dnskeyFromText,
  dnskeyToWire,
  dsToWire,
  keyTagOf,
  type PublicKey,
  ZSK_FLAGS,
} from './dnskey.js';
export { dnssecText } from './dnssec-text.js';
export { type Nsec, nsecFromWire, nsecToWire } from './nsec.js';
export {
  MAX_NSEC3_ITERATIONS,
  type Nsec3,
  NSEC3_OPT_OUT,
  NSEC3_SHA1,
  nsec3FromWire,
  type Nsec3Parameters,
  nsec3ParametersFromWire,
} from './nsec.js';
export type { ChainName, ChainPosition } from './nsec-chain.js';
export {
  countToSign,
  isWildcardKey,
  type NameContent,
  type PlannedName,
  planSigning,
  type SigningPlan,
  type TouchedName,
  hidNames,
} from './plan-signing.js';
export {
  octetsToSign,
  type OctetsToSign,
  type Rrsig,
  rrsigFromWire,
  rrsigHead,
  type SignatureTerms,
  typeCoveredBy,
} from './rrsig.js';
export {
  recordsOfRrsets,
  type SignedRecord,
  signedRecordsFromOctets,
  signedRecordsToOctets,
} from './signed-records.js';
export { isSigningType } from './plan-signing.js';
export {
  generateSigningKey,
  isPublicKey,
  isSigningAlgorithm,
  SIGNING_ALGORITHMS,
  type SigningAlgorithm,
  signOctets,
  signOctetsAside,
  verifyOctets,
  verifyOctetsAside,
} from './signing-keys.js';
