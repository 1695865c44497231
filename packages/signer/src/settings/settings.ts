import { type Keyring, parseKeyring } from '@zonewright/database';
import {
  integer,
  LOG_LEVELS,
  type LogLevel,
  oneOf,
  port,
  postgresUrl,
  type Setting,
  type SettingsOf,
  type SettingsTree,
  text,
} from '@zonewright/service-kit';

/**
 * Encryption keys that no other service has: access to another service's environment must not reveal the keys of zones.
 */
const encryptionKeys: Setting<Keyring> = {
  ...text('SIGNER_ENCRYPTION_KEYS', {
    secret: true,
    help: 'Keys for private keys of signed zones, id:base64,...; the first encrypts.',
  }),
  fallback: undefined,
  parse: parseKeyring,
};

const MIN_SECRET_CHARACTERS = 32;

const secret: Setting<string> = {
  ...text('SIGNER_SECRET', {
    secret: true,
    help: 'Shared secret of dns-api and the signer, at least 32 characters.',
  }),
  fallback: undefined,
  parse: (given) => {
    if (given.length >= MIN_SECRET_CHARACTERS) return given;
    throw new Error(`must have at least ${MIN_SECRET_CHARACTERS} characters`);
  },
};

/** Settings that the signer reads from the environment. */
export const SIGNER_SETTINGS = {
  logLevel: oneOf<LogLevel>('LOG_LEVEL', LOG_LEVELS, {
    default: 'info',
    help: 'Minimum level of log lines.',
  }),
  database: {
    url: postgresUrl('DATABASE_URL', {
      help: 'PostgreSQL login with role zonewright_signer.',
    }),
    maxConnections: integer('SIGNER_DATABASE_CONNECTIONS', {
      default: 6,
      minimum: 2,
      help: 'Maximum connections to PostgreSQL.',
    }),
  },
  encryptionKeys,
  secret,
  http: {
    host: text('SIGNER_HOST', { default: '0.0.0.0', help: 'Address to listen on.' }),
    port: port('SIGNER_PORT', { default: 9004, help: 'TCP port for dns-api; 0: any free port.' }),
    operationsPort: port('SIGNER_OPERATIONS_PORT', {
      default: 9104,
      help: 'TCP port of /healthz, /readyz and /metrics; 0: any free port.',
    }),
  },
  jobs: {
    everyMs: integer('SIGNER_JOBS_EVERY_MS', {
      default: 1_000,
      minimum: 10,
      help: 'Interval between checks for zones to sign or renew.',
    }),
  },
} satisfies SettingsTree;

export type SignerSettings = SettingsOf<typeof SIGNER_SETTINGS>;
