export type { Answer, Publication } from './answer.js';
export type { CallOptions, Input, OperationId, Output } from './caller.js';
export { OPERATIONS } from './generated/operations.js';
export { Client, type ClientOptions } from './client.js';
export type { DnsEvent } from './events.js';
export {
  ApiError,
  NotFoundError,
  type Problem,
  UnknownOutcomeError,
  UnreachableError,
  UsageError,
  ZonewrightError,
} from './errors.js';
export { decodeFile, defaultEmail } from './domains.js';
export type {
  Change,
  Difference,
  Domain,
  ImportResult,
  ImportOptions,
  ListedDomain,
  ReadFile,
  RestoredDomain,
} from './domains.js';
export type { AccessKey } from './keys.js';
export { readAll } from './pages.js';
export { compareAnswers, pairChanges, type RecordChanges } from './differences.js';
export {
  type FoundRecord,
  inBatches,
  type RecordContent,
  type RecordOperation,
  type ZoneRecord,
} from './records.js';
export type { UnknownOutcome } from './transport.js';
export type { Credentials, Session } from './session.js';
