export type { Answer, Publication } from './call/answer.js';
export type { CallOptions } from './call/caller.js';
export type { Input, OperationId, Output } from './call/operations.js';
export { OPERATIONS } from './generated/operations.js';
export { Client, type ClientOptions } from './client.js';
export type { DnsEvent } from './events/listen.js';
export {
  ApiError,
  NotFoundError,
  type Problem,
  UnknownOutcomeError,
  UnreachableError,
  UsageError,
  ZonewrightError,
} from './http/errors.js';
export type {
  Change,
  Difference,
  Domain,
  ImportResult,
  ImportWish,
  ListedDomain,
  RestoredDomain,
} from './resources/domains.js';
export type { AccessKey } from './resources/keys.js';
export { readAll } from './resources/pages.js';
export type { FoundRecord } from './resources/search.js';
export {
  inBatches,
  type RecordContent,
  type RecordOperation,
  type ZoneRecord,
} from './resources/records.js';
export type { Doubt } from './http/transport.js';
export type { Credentials, Session } from './session/credentials.js';
