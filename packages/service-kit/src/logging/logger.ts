import { type DestinationStream, type Logger, pino } from 'pino';
import { logOutput } from './log-output.js';
import { redactLine, redactSecrets } from './redact.js';

export type { Logger } from 'pino';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * Creates a logger that writes JSON lines to stdout (or to `destination`) and never a secret. Members with names of
 * secrets are replaced at any depth, and so are credentials in URLs. `context` adds members to each line.
 */
export function createLogger(
  service: string,
  level: LogLevel,
  destination?: DestinationStream,
  context?: LogContext,
): Logger {
  const options = {
    name: service,
    level,
    base: { pid: process.pid },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    // Errors have already become objects when secrets were replaced. A second conversion would lose their type.
    serializers: { err: (error: unknown) => error },
    formatters: {
      level: (label: string) => ({ level: label }),
      log: (fields: Record<string, unknown>) => redactSecrets(fields) as Record<string, unknown>,
    },
    hooks: { streamWrite: redactLine },
    ...(context === undefined ? {} : { mixin: () => context() ?? {} }),
  };
  if (destination !== undefined) return pino(options, destination);
  const output = logOutput();
  const log = pino(options, output);
  output.reportTo((dropped, reason) => {
    log.warn({ dropped, reason }, 'lines of this log were dropped');
  });
  return log;
}

/** Returns log members of the work in progress: ids and numbers, never text of a caller. */
export type LogContext = () => Readonly<Record<string, string | number>> | undefined;
