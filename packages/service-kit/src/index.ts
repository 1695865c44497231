export { BoundedMap } from './values/bounded-map.js';
export { BatchQueues, Batcher } from './scheduling/batcher.js';
export { FairSlots, type FairSlotsOptions, type SlotRequest } from './scheduling/fair-slots.js';
export { isInNetworks, readNetwork, sourceNetwork, sourceSite } from './values/networks.js';
export { type Clock, intervalAfter, type Pace, systemClock, Ticker } from './scheduling/clock.js';
export {
  type DnsAddress,
  type DnsExchange,
  exchangeOverTcp,
  exchangeOverUdp,
} from './http/dns-exchange.js';
export { freePort, listen } from './http/ports.js';
export {
  type ErrorKind,
  invalidRequest,
  MAX_PROBLEMS,
  Overload,
  type Problem,
  problemsOf,
  ServiceError,
  STATUS_OF_ERROR,
} from './values/errors.js';
export { AuthorizedClient, ServiceToken } from './http/service-token.js';
export { HttpJsonClient, type JsonAnswer } from './http/http-json.js';
export {
  createLogger,
  LOG_LEVELS,
  type LogContext,
  type Logger,
  type LogLevel,
} from './logging/logger.js';
export {
  nearestManifest,
  type ReadyMessage,
  type RunnableService,
  runService,
} from './process/run-service.js';
export { OperationsServer, type ReadinessCheck } from './process/operations-server.js';
export { RetentionMetrics } from './process/retention-metrics.js';
export { redactSecrets, redactUrlCredentials } from './logging/redact.js';
export { isUuid, uuidOfDigest, newRequestId, REQUEST_ID_HEADER } from './values/ids.js';
export {
  createRequestLog,
  type RequestLog,
  type RequestLogMembers,
} from './logging/request-log.js';
export {
  generateKeyringText,
  type Keyring,
  parseKeyring,
  type SealedSecret,
} from './values/keyring.js';
export { findMisspelled, reportMisspelled } from './settings/misspelled.js';
export {
  listSettings,
  readSettings,
  readSettingText,
  SettingsError,
  type SettingsOf,
  type SettingsTree,
} from './settings/read-settings.js';
export {
  flag,
  integer,
  list,
  oneOf,
  optionalInteger,
  optionalPostgresUrl,
  optionalRedisUrl,
  optionalText,
  optionalUrl,
  port,
  postgresUrl,
  type Setting,
  text,
  url,
} from './settings/setting.js';
export { ServiceRegistry } from './process/service-registry.js';
export { forEachInSlices, mapInSlices, Slices } from './scheduling/slices.js';
export {
  type PostgresServers,
  readPostgresUrl,
  withUrlParameter,
} from './settings/postgres-url.js';
export { type RedisAddress, readRedisUrl } from './settings/redis-url.js';
export { openTracing } from './tracing/open-tracing.js';
export type { StatementObserver } from './tracing/spans.js';
export type { Tracing } from './tracing/tracing.js';
export { TRACING_SETTINGS, type TracingSettings } from './tracing/tracing-settings.js';
