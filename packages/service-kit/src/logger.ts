import { pino, stdSerializers, type DestinationStream, type Logger } from 'pino';

export type { Logger } from 'pino';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Members whose values never reach a log, wherever they stand in what is logged; compared in lower case. */
const SECRET_MEMBERS = new Set([
  'password',
  'passwordhash',
  'password_hash',
  'secret',
  'secretkey',
  'secret_key',
  'token',
  'tokenid',
  'authorization',
  'cookie',
  'x-auth-token',
  'x-auth-key',
  'x-subject-token',
  'x-storage-token',
  'connectionstring',
  'databaseurl',
  'redisurl',
]);
const REDACTED = '[redacted]';
/** Deep enough for any error or request we log; what lies below is dropped rather than searched. */
const MAX_DEPTH = 6;

/** A copy in which every secret member is replaced, for anything that is about to be logged. */
export function redactSecrets(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (depth >= MAX_DEPTH) return '[too deep]';
  if (Array.isArray(value)) return value.map((item) => redactSecrets(item, depth + 1));
  if (value instanceof Error) return redactSecrets(stdSerializers.err(value), depth + 1);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      SECRET_MEMBERS.has(name.toLowerCase()) ? REDACTED : redactSecrets(member, depth + 1),
    ]),
  );
}

/**
 * A logger that writes JSON lines to stdout (or to `destination`) and never a secret: members of the
 * names above are replaced at any depth before pino sees them.
 */
export function createLogger(
  service: string,
  level: LogLevel,
  destination?: DestinationStream,
): Logger {
  const options = {
    name: service,
    level,
    base: { pid: process.pid },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: {
      level: (label: string) => ({ level: label }),
      log: (fields: Record<string, unknown>) => redactSecrets(fields) as Record<string, unknown>,
    },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
