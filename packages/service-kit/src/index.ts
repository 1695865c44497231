export { BoundedMap } from './bounded-map.js';
export { Queues, Together } from './together.js';
export { sourceNetwork, sourceSite } from './source-network.js';
export { type Clock, systemClock } from './clock.js';
export { freePort } from './free-port.js';
export { type ErrorKind, ServiceError } from './errors/service-error.js';
export { AuthorizedClient } from './http/authorized-client.js';
export { HttpJsonClient, type JsonAnswer } from './http/http-json.js';
export { listen } from './http/listen.js';
export { ServiceToken } from './http/service-token.js';
export { STATUS_OF_ERROR } from './http/status-of-error.js';
export type { LogContext } from './logging/log-context.js';
export { createLogger, LOG_LEVELS, type Logger, type LogLevel } from './logging/logger.js';
export { nearestManifest } from './nearest-manifest.js';
export { isInNetworks, readNetwork } from './networks.js';
export { Ticker } from './ticker.js';
export { intervalAfter, type Pace } from './pace.js';
export { Overload } from './overload.js';
export { invalidRequest, MAX_PROBLEMS, type Problem, problemsOf } from './problem.js';
export { OperationsServer, type ReadinessCheck } from './operations-server.js';
export { RetentionMetrics } from './retention-metrics.js';
export { redactSecrets, redactUrlCredentials } from './logging/redact.js';
export { newRequestId, REQUEST_ID_HEADER } from './request-id.js';
export { createRequestLog, type RequestLog, type RequestLogMembers } from './request-log.js';
export { type ReadyMessage, type RunnableService, runService } from './run-service.js';
export {
  generateKeyringText,
  type Keyring,
  parseKeyring,
  type SealedSecret,
} from './secrets/keyring.js';
export { findMisspelled } from './settings/misspelled.js';
export { reportMisspelled } from './settings/report-misspelled.js';
export {
  listSettings,
  readSettings,
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
export { ServiceRegistry } from './service-registry.js';
export { forEachInSlices, mapInSlices, Slices } from './slices.js';
export {
  type PostgresServers,
  readPostgresUrl,
  withUrlParameter,
} from './settings/postgres-url.js';
export { type RedisAddress, readRedisUrl } from './settings/redis-url.js';
export { readSettingText } from './settings/setting-text.js';
export { isUuid } from './uuid.js';
export { openTracing } from './tracing/open-tracing.js';
export type { StatementObserver } from './tracing/statement-span.js';
export type { Tracing } from './tracing/tracing.js';
export { TRACING_SETTINGS, type TracingSettings } from './tracing/tracing-settings.js';
