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
  optionalText,
  optionalUrl,
  port,
  postgresUrl,
  type Setting,
  type SettingsOf,
  type SettingsTree,
  text,
  TRACING_SETTINGS,
  url,
} from '@zonewright/service-kit';
import { SUPPORTED_TYPES, type SupportedTypes } from '@zonewright/dns-records';
import { MX_TARGET_CHECKS, type MxTargetCheck } from '@zonewright/zones';

import { dnsAddressesByName, optionalDnsAddress } from './address-settings.js';

/**
 * These keys differ from those of the identity service, so that access to this service's environment does not reveal
 * that service's secrets.
 */
const transferKeys: Setting<Keyring | undefined> = {
  ...optionalText('TRANSFER_ENCRYPTION_KEYS', {
    secret: true,
    help: 'Keys that encrypt TSIG secrets, id:base64,... If not set, peers and TSIG keys are not available.',
  }),
  fallback: { value: undefined },
  parse: parseKeyring,
};

/** All settings of this service; docs/reference/configuration.md is checked against them. */
export const DNS_API_SETTINGS = {
  logLevel: oneOf<LogLevel>('LOG_LEVEL', LOG_LEVELS, {
    default: 'info',
    help: 'Minimum level of log lines.',
  }),
  http: {
    host: text('DNS_API_HOST', { default: '0.0.0.0', help: 'Address to listen on.' }),
    port: port('DNS_API_PORT', { default: 9001, help: 'TCP port of the API; 0: any free port.' }),
    operationsPort: port('DNS_API_OPERATIONS_PORT', {
      default: 9102,
      help: 'TCP port of /healthz, /readyz and /metrics; 0: any free port.',
    }),
    publicUrl: optionalUrl('DNS_API_PUBLIC_URL', ['http', 'https'], {
      help: 'Base of links in responses. The default is the Host header of the request.',
    }),
    trustedProxies: integer('TRUST_PROXY', {
      default: 0,
      maximum: 16,
      help: 'Number of reverse proxies in front; 0 ignores X-Forwarded headers.',
    }),
    maxBodyBytes: integer('DNS_API_MAX_BODY_BYTES', {
      default: 256 * 1024,
      minimum: 1024,
      help: 'Largest request body; a batch may be sixteen times as large.',
    }),
    requestTimeoutSeconds: integer('DNS_API_REQUEST_TIMEOUT_SECONDS', {
      default: 15,
      minimum: 1,
      help: 'Time within which a request must arrive.',
    }),
    maxImportBytes: integer('DNS_API_MAX_IMPORT_BYTES', {
      default: 8 * 1024 * 1024,
      minimum: 1024,
      help: 'Largest zone file to import.',
    }),
    listsShowTenant: flag('DNS_API_LISTS_SHOW_TENANT', {
      default: true,
      help: 'Whether lists of records have `tenant_id` and `version`, which old clients reject.',
    }),
    v1Types: oneOf<SupportedTypes>('DNS_API_V1_TYPES', SUPPORTED_TYPES, {
      default: 'basic',
      help: '`basic`: record lists have seven types unless a request says `all_types=true`; `all`: all types.',
    }),
    ...apiSettings('DNS_API', 32),
  },
  signer: {
    url: optionalUrl('SIGNER_URL', ['http', 'https'], {
      help: 'Base URL of the signer. If not set, domains cannot be signed, and signed domains cannot be changed.',
    }),
    secret: optionalText('SIGNER_SECRET', {
      secret: true,
      help: 'Shared secret of dns-api and the signer, at least 32 characters.',
    }),
    signsNewDomains: flag('DNS_API_SIGN_NEW_DOMAINS', {
      default: false,
      help: 'Whether new domains are signed.',
    }),
  },
  database: {
    url: postgresUrl('DATABASE_URL', {
      help: 'PostgreSQL login with role zonewright_dns_api.',
    }),
    sessionUrl: optionalPostgresUrl('DATABASE_SESSION_URL', {
      help: 'Direct connection if DATABASE_URL is a pooler in transaction mode. The default is DATABASE_URL.',
    }),
    maxConnections: integer('DNS_API_DATABASE_CONNECTIONS', {
      default: 10,
      minimum: 2,
      maximum: 1000,
      help: 'Maximum connections to PostgreSQL, in addition to four for events.',
    }),
  },
  redis: {
    url: optionalRedisUrl('REDIS_URL', {
      help: 'Redis with revoked tokens. If not set, each request queries identity-service.',
    }),
    keyPrefix: text('REDIS_KEY_PREFIX', {
      default: 'zonewright:',
      help: 'Prefix of Redis keys and channels.',
    }),
  },
  identity: {
    url: url('IDENTITY_URL', ['http', 'https'], {
      default: 'http://127.0.0.1:35357',
      help: 'Base URL of identity-service, without a version.',
    }),
    accessKey: text('DNS_API_SERVICE_ACCESS_KEY', {
      secret: true,
      help: 'Access key of a user with role `service`, to validate tokens.',
    }),
    secretKey: text('DNS_API_SERVICE_SECRET_KEY', {
      secret: true,
      help: 'Secret key of this access key.',
    }),
    serviceTypes: list('DNS_API_SERVICE_TYPES', {
      default: ['ext:dns', 'hpext:dns', 'dns'],
      help: 'Types of this service in the catalog.',
    }),
  },
  access: {
    operatorRoles: list('DNS_API_OPERATOR_ROLES', {
      default: ['dns-operator'],
      help: 'Roles that may use GET /v1/nameservers, v2 pools and service statuses.',
    }),
    cloudAdminRoles: list('DNS_API_CLOUD_ADMIN_ROLES', {
      default: ['dns-cloud-admin'],
      help: 'Roles that may act on behalf of every project in v2.',
    }),
  },
  transferKeys,
  peers: {
    maxPeers: integer('DNS_API_MAX_PEERS', {
      default: 8,
      help: 'Maximum peers (secondaries) of a project.',
    }),
    mayBePrivate: flag('DNS_API_PRIVATE_PEERS', {
      default: false,
      help: 'Whether NOTIFY may go to private and loopback addresses.',
    }),
  },
  secondaries: {
    isAsking: flag('DNS_API_SECONDARIES', {
      default: true,
      help: 'Whether this process queries primaries; at least one must.',
    }),
    mayBePrivate: flag('DNS_API_PRIVATE_PRIMARIES', {
      default: false,
      help: 'Whether primaries may have private and loopback addresses.',
    }),
    maxTransfers: integer('DNS_API_MAX_TRANSFERS', {
      default: 4,
      minimum: 1,
      maximum: 100,
      help: 'Maximum concurrent transfers from primaries, at most two per project.',
    }),
    maxOctets: integer('DNS_API_MAX_TRANSFER_BYTES', {
      default: 64 * 1024 * 1024,
      minimum: 65_536,
      help: 'Largest transfer from a primary, in bytes, held in memory.',
    }),
    timeoutSeconds: integer('DNS_API_TRANSFER_TIMEOUT_SECONDS', {
      default: 300,
      minimum: 1,
      help: 'Time limit of a transfer from a primary.',
    }),
  },
  check: {
    resolver: optionalDnsAddress('DNS_API_CHECK_RESOLVER', {
      help: 'Resolver for checks of domains, address or address:port. Delegations are not checked if not set.',
    }),
    nameserverAddresses: dnsAddressesByName('DNS_API_CHECK_NAMESERVERS', {
      help: 'Addresses of nameservers for checks, if they differ from the listed ones: name=host:port,...',
    }),
  },
  rules: {
    maxDomains: integer('DNS_API_MAX_DOMAINS', {
      default: 20,
      help: 'Maximum domains of a project without a quota.',
    }),
    maxDomainRecords: integer('DNS_API_MAX_DOMAIN_RECORDS', {
      default: 500,
      help: 'Maximum records of a domain without a quota.',
    }),
    maxRecordsetRecords: integer('DNS_API_MAX_RECORDSET_RECORDS', {
      default: 100,
      help: 'Maximum records of one name and type without a quota.',
    }),
    maxDomainOctets: integer('DNS_API_MAX_DOMAIN_OCTETS', {
      default: 4 * 1024 * 1024,
      help: "Bytes of a domain's record data, plus 1024 for each record of its quota.",
    }),
    maxWriteBytesPerMinute: integer('DNS_API_MAX_WRITE_BYTES_PER_MINUTE', {
      default: 16 * 1024 * 1024,
      minimum: 1024,
      help: 'Bytes a minute that a project without a quota may write to the database; bursts may be ten times as large.',
    }),
    mxTargetCheck: oneOf<MxTargetCheck>('MX_TARGET_CHECK', MX_TARGET_CHECKS, {
      default: 'hosted',
      help: '`hosted`: an MX target in a hosted domain must have an address; `strict`: every target; `off`: none.',
    }),
    undeleteDays: integer('DNS_API_UNDELETE_DAYS', {
      default: 30,
      help: 'Days until a deleted domain is removed with its history.',
    }),
  },
  apex: {
    zonesPerSecond: integer('DNS_API_APEX_ZONES_PER_SECOND', {
      default: 1_000,
      minimum: 1,
      maximum: 10_000,
      help: 'Zones a second that get a new serial when nameservers or SOA times change.',
    }),
  },
  retention: {
    historyDays: integer('DNS_API_HISTORY_DAYS', {
      default: 90,
      minimum: 1,
      help: 'Days for which changes of a domain are stored.',
    }),
    historyMaxBytes: integer('DNS_API_HISTORY_MAX_BYTES', {
      default: 64 * 1024 * 1024,
      minimum: 64 * 1024,
      help: 'Bytes of the history of a domain; the oldest changes are removed first.',
    }),
    maxDeletedDomains: integer('DNS_API_MAX_DELETED_DOMAINS', {
      default: 100,
      help: 'Maximum deleted domains of a project, or its quota of domains if larger.',
    }),
    idempotencyHours: integer('DNS_API_IDEMPOTENCY_HOURS', {
      default: 24,
      minimum: 1,
      help: 'Hours for which responses with an Idempotency-Key are stored.',
    }),
    idempotencyMaxBytes: integer('DNS_API_IDEMPOTENCY_MAX_BYTES', {
      default: 64 * 1024 * 1024,
      help: 'Bytes of these responses per project; the oldest are removed first.',
    }),
    maxZoneTasks: integer('DNS_API_MAX_ZONE_TASKS', {
      default: 100,
      minimum: 1,
      help: 'Maximum v2 exports and maximum v2 imports of a project.',
    }),
    zoneTaskDays: integer('DNS_API_ZONE_TASK_DAYS', {
      default: 30,
      minimum: 1,
      help: 'Days for which a v2 export or import is listed.',
    }),
    zoneTransferDays: integer('DNS_API_ZONE_TRANSFER_DAYS', {
      default: 30,
      minimum: 1,
      help: 'Days for which a zone transfer request can be accepted, and for which it is listed afterwards.',
    }),
    nameserverStatusDays: integer('DNS_API_NAMESERVER_STATUS_DAYS', {
      default: 30,
      minimum: 1,
      help: 'Days for which the status of a silent nameserver is stored.',
    }),
  },
  tracing: TRACING_SETTINGS,
} satisfies SettingsTree;

export type DnsApiSettings = SettingsOf<typeof DNS_API_SETTINGS>;
