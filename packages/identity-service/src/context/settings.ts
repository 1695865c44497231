import { type Keyring, parseKeyring } from '@zonewright/database';
import { apiSettings } from '@zonewright/http-api';
import {
  flag,
  integer,
  list,
  LOG_LEVELS,
  type LogLevel,
  oneOf,
  optionalPostgresUrl,
  optionalRedisUrl,
  optionalUrl,
  port,
  postgresUrl,
  type Setting,
  type SettingsOf,
  type SettingsTree,
  text,
  TRACING_SETTINGS,
} from '@zonewright/service-kit';

const encryptionKeys: Setting<Keyring> = {
  ...text('ENCRYPTION_KEYS', {
    secret: true,
    help: 'Keys for secrets in the database, id:base64,...; the first encrypts.',
  }),
  fallback: undefined,
  parse: parseKeyring,
};

function limit(variable: string, operation: string, perSecond: number): Setting<number> {
  return integer(variable, {
    default: perSecond,
    minimum: 1,
    help: `${operation}: requests a second.`,
  });
}

export const IDENTITY_SERVICE_SETTINGS = {
  logLevel: oneOf<LogLevel>('LOG_LEVEL', LOG_LEVELS, {
    default: 'info',
    help: 'Minimum level of log lines.',
  }),
  database: {
    url: postgresUrl('DATABASE_URL', {
      help: 'PostgreSQL login with role zonewright_identity.',
    }),
    sessionUrl: optionalPostgresUrl('DATABASE_SESSION_URL', {
      help: 'Direct connection if DATABASE_URL is a pooler in transaction mode. The default is DATABASE_URL.',
    }),
    maxConnections: integer('IDENTITY_DATABASE_CONNECTIONS', {
      default: 10,
      minimum: 1,
      help: 'Maximum connections to PostgreSQL, in addition to one for notifications.',
    }),
  },
  redis: {
    url: optionalRedisUrl('REDIS_URL', {
      help: 'Redis URL. If not set, limits apply to each process separately.',
    }),
    keyPrefix: text('REDIS_KEY_PREFIX', {
      default: 'zonewright:',
      help: 'Prefix of Redis keys and channels.',
    }),
  },
  encryptionKeys,
  http: {
    host: text('IDENTITY_HOST', { default: '0.0.0.0', help: 'Address to listen on.' }),
    port: port('IDENTITY_PORT', { default: 35_357, help: 'TCP port of the API.' }),
    operationsPort: port('IDENTITY_OPERATIONS_PORT', {
      default: 9101,
      help: 'TCP port of /healthz, /readyz and /metrics.',
    }),
    publicUrl: optionalUrl('IDENTITY_PUBLIC_URL', ['http', 'https'], {
      help: 'Base of links in responses. The default is the Host header of the request.',
    }),
    trustedProxies: integer('TRUST_PROXY', {
      default: 0,
      maximum: 16,
      help: 'Number of reverse proxies in front; 0 ignores X-Forwarded headers.',
    }),
    maxBodyBytes: integer('IDENTITY_MAX_BODY_BYTES', {
      default: 262_144,
      minimum: 1024,
      help: 'Largest request body.',
    }),
    requestTimeoutSeconds: integer('IDENTITY_REQUEST_TIMEOUT_SECONDS', {
      default: 15,
      minimum: 1,
      help: 'Time within which a request must arrive.',
    }),
    ...apiSettings('IDENTITY', 16),
  },
  extensionAliases: list('EXTENSION_ALIASES', {
    default: ['HP-IDM'],
    help: 'Aliases of EXT-IDM in paths.',
  }),
  accessKeyPurgeDays: integer('ACCESS_KEY_PURGE_DAYS', {
    default: 30,
    minimum: 1,
    help: 'Days until a deleted access key is purged.',
  }),
  retention: {
    purgedKeyDays: integer('ACCESS_KEY_PURGED_DAYS', {
      default: 365,
      minimum: 1,
      help: 'Days until the row of a purged access key is removed.',
    }),
    retiredSigningKeyDays: integer('SIGNING_KEY_RETIRED_DAYS', {
      default: 90,
      minimum: 1,
      help: 'Days until the row of a retired signing key is removed.',
    }),
  },
  accessKeyQuota: integer('ACCESS_KEY_QUOTA', {
    default: 100,
    minimum: 1,
    help: 'Maximum usable access keys of a user.',
  }),
  administration: {
    grantableRoles: list('GRANTABLE_ROLES', {
      default: ['admin', 'member', 'dns-admin'],
      help: 'Roles that administrators of an account domain may grant.',
    }),
    accountDomainQuota: integer('ACCOUNT_DOMAIN_QUOTA', {
      default: 1000,
      minimum: 1,
      help: 'Maximum users and maximum projects of an account domain.',
    }),
    roleAssignmentQuota: integer('ROLE_ASSIGNMENT_QUOTA', {
      default: 200,
      minimum: 1,
      help: 'Maximum role assignments of a user.',
    }),
  },
  limits: {
    enabled: flag('RATE_LIMITS', {
      default: true,
      help: 'Whether requests are limited; use false only in tests.',
    }),
    failedPasswordsPerHour: integer('RATE_LIMIT_FAILED_PASSWORDS', {
      default: 100,
      minimum: 1,
      help: 'Failed passwords per hour, for each account and network.',
    }),
    perSecond: {
      authenticate: limit('RATE_LIMIT_AUTHENTICATE', 'Authenticate', 50),
      rescope: limit('RATE_LIMIT_RESCOPE', 'Rescope Token', 50),
      revoke: limit('RATE_LIMIT_REVOKE', 'Revoke Token', 1),
      listTenants: limit('RATE_LIMIT_LIST_TENANTS', 'List Tenants', 50),
      legacyAuthentication: limit(
        'RATE_LIMIT_LEGACY_AUTHENTICATION',
        'Legacy Authentication, each path',
        50,
      ),
      createAccessKey: limit('RATE_LIMIT_CREATE_ACCESS_KEY', 'Create User Access Key', 20),
      deleteAccessKey: limit('RATE_LIMIT_DELETE_ACCESS_KEY', 'Delete User Access Key', 20),
      getAccessKeys: limit('RATE_LIMIT_GET_ACCESS_KEYS', 'Get Access Keys', 20),
      getAccessKey: limit('RATE_LIMIT_GET_ACCESS_KEY', 'Get An Access Key', 50),
      importAccessKeys: limit('RATE_LIMIT_IMPORT_ACCESS_KEYS', 'Import User Access Key', 20),
      updateAccessKey: limit('RATE_LIMIT_UPDATE_ACCESS_KEY', 'Update User Access Key', 20),
      administer: limit('RATE_LIMIT_ADMINISTER', 'Each operation of the v3 administration', 50),
      tsig: integer('RATE_LIMIT_TSIG', {
        default: 20,
        minimum: 1,
        help: 'Messages with a wrong TSIG per second, for each network.',
      }),
      changeAccounts: integer('RATE_LIMIT_CHANGE_ACCOUNTS', {
        default: 10,
        minimum: 1,
        help: 'Account changes per second and account domain; password changes per second and user.',
      }),
    },
  },
  tracing: TRACING_SETTINGS,
} as const satisfies SettingsTree;

export type IdentitySettings = SettingsOf<typeof IDENTITY_SERVICE_SETTINGS>;
