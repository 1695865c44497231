export {
  type AccessAction,
  type AccessRule,
  allowedExpression,
  isAboutZone,
  isAllowed,
} from './access-rules/access-rule.js';
export { readAccessRules, type RuleFault } from './access-rules/read-access-rules.js';
export { type ApexContent, apexRecords } from './rdata/soa.js';
export { DnsSyntaxError, NameSyntaxError, RdataSyntaxError } from './values/problem.js';
export { checkDescription } from './checks/domain.js';
export { checkDomainName, defaultEmail } from './checks/domain.js';
export { checkEmail } from './checks/domain.js';
export { checkRecord, type RecordMembers } from './checks/record.js';
export { checkTtl } from './checks/member.js';
export {
  AA_FLAG,
  answerHeader,
  type Message,
  type MessageHeader,
  type MessageRecord,
  OPCODE,
  opcodeOf,
  QR_FLAG,
  type Question,
  RCODE,
  rcodeOf,
} from './message/message.js';
export {
  EXTENDED_ERROR,
  type ExtendedError,
  writeExtendedError,
} from './message/extended-error.js';
export { MessageSyntaxError } from './message/message.js';
export { readHeader, readMessage, type ReadMessage } from './message/read-message.js';
export {
  checkRequest,
  findTsigAlgorithm,
  requestDigest,
  type SignedMessage,
  signRequest,
  TSIG_ALGORITHMS,
  type TsigAlgorithm,
  TsigAnswerChecker,
  TsigAnswerSigner,
  type TsigFault,
  type TsigKey,
  withTsigFault,
} from './message/tsig.js';
export { appendTsig, type Tsig, TSIG_ERROR } from './message/tsig-record.js';
export {
  nameOfRecord,
  type Prerequisite,
  readPrerequisite,
  readUpdateInstruction,
  UpdateFault,
  type UpdateInstruction,
} from './message/update.js';
export { writeMessage, writeRecord } from './message/message.js';
export { ancestorsOf } from './names/owner-names.js';
export { canonicalOwnerName } from './names/owner-names.js';
export { isAtOrBelow } from './names/owner-names.js';
export { findAsciiDomainName, toAsciiDomainName } from './names/to-ascii-domain-name.js';
export type { Problem, Validator } from './values/problem.js';
export { numbersOfSoa, serialOfSoa } from './rdata/soa.js';
export { canonicalRdata, hasRdataCodec, rdataFromWire, rdataToWire } from './rdata/rdata.js';
export type { Rdata, RdataCodec, RecordType } from './fields/record-type.js';
export { quoteString } from './fields/quoted-strings.js';
export {
  BASIC_TYPE_NAMES,
  findRecordType,
  isRecordTypeName,
  SUPPORTED_TYPES,
  type SupportedTypes,
  RECORD_TYPES,
  type RecordTypeName,
} from './rdata/record-types.js';
export { compareSerials, nextSerial } from './values/numbers.js';
export { MAX_TTL_SECONDS } from './values/numbers.js';
export { RR_CLASS } from './values/rr-type.js';
export { RR_TYPE, typeMnemonic, typeNumber } from './values/rr-type.js';
export { nameToWire } from './wire/name-to-wire.js';
export { wireToName } from './wire/wire-to-name.js';
export {
  formatZoneLines,
  formatZoneRecord,
  formatZoneText,
  type ZoneTextSource,
  type ZoneToFormat,
} from './zone-text/format-zone-text.js';
export { decodeFile } from './zone-text/decode-file.js';
export { iterateZoneText, parseZoneText } from './zone-text/parse-zone-text.js';
export type {
  ZoneTextItem,
  ZoneTextOptions,
  ZoneTextProblem,
  ZoneTextRecord,
} from './zone-text/zone-text.js';
