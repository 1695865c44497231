export { type Clock, systemClock } from './clock.js';
export { type ErrorKind, ServiceError } from './service-error.js';
export { createLogger, LOG_LEVELS, type Logger, type LogLevel } from './logger.js';
export { OperationsServer, type ReadinessCheck } from './operations-server.js';
export { redactSecrets, redactUrlCredentials } from './redact.js';
export { newRequestId, REQUEST_ID_HEADER } from './request-id.js';
export { createRequestLog, type RequestLog, type RequestLogMembers } from './request-log.js';
export { normalizeRequestTarget } from './request-path.js';
export { type ReadyMessage, type RunnableService, runService } from './run-service.js';
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
  optionalText,
  optionalUrl,
  port,
  type Setting,
  text,
  url,
} from './settings/setting.js';
