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
 * Keys that differ from those of the identity service: access to this service's environment must not reveal that
 * service's secrets.
 */
const transferKeys: Setting<Keyring | undefined> = {
  ...optionalText('TRANSFER_ENCRYPTION_KEYS', {
    secret: true,
    help: 'Keys for TSIG secrets, id:base64,...; the first encrypts. Unset: `POST /v1/peers` and `POST /v2/tsigkeys` are refused.',
  }),
  fallback: { value: undefined },
  parse: parseKeyring,
};

/** All settings of this service; docs/reference/configuration.md is checked against them. */
export const DNS_API_SETTINGS = {
  logLevel: oneOf<LogLevel>('LOG_LEVEL', LOG_LEVELS, {
    default: 'info',
    help: 'Lowest level that is logged.',
  }),
  http: {
    host: text('DNS_API_HOST', { default: '0.0.0.0', help: 'Address to listen on.' }),
    port: port('DNS_API_PORT', { default: 9001, help: 'TCP port of the API; 0: a free one.' }),
    operationsPort: port('DNS_API_OPERATIONS_PORT', {
      default: 9102,
      help: 'TCP port of /healthz, /readyz and /metrics; 0: a free one.',
    }),
    publicUrl: optionalUrl('DNS_API_PUBLIC_URL', ['http', 'https'], {
      help: 'URL of the API for clients, in Location and links; unset: the Host of the request.',
    }),
    trustedProxies: integer('TRUST_PROXY', {
      default: 0,
      maximum: 16,
      help: 'Number of reverse proxies that set X-Forwarded-Proto and -Host; 0 ignores the headers.',
    }),
    maxBodyBytes: integer('DNS_API_MAX_BODY_BYTES', {
      default: 256 * 1024,
      minimum: 1024,
      help: 'Largest request body, in bytes; a batch may be sixteen times as large.',
    }),
    requestTimeoutSeconds: integer('DNS_API_REQUEST_TIMEOUT_SECONDS', {
      default: 15,
      minimum: 1,
      help: 'Time within which a request must arrive, in seconds.',
    }),
    maxImportBytes: integer('DNS_API_MAX_IMPORT_BYTES', {
      default: 8 * 1024 * 1024,
      minimum: 1024,
      help: 'Largest zone file to import, in bytes; in JSON as large as a batch.',
    }),
    listsShowTenant: flag('DNS_API_LISTS_SHOW_TENANT', {
      default: true,
      help: 'Whether lists of records have `tenant_id` and `version`; `false` for old clients that refuse them. python-designateclient never gets them.',
    }),
    v1Types: oneOf<SupportedTypes>('DNS_API_V1_TYPES', SUPPORTED_TYPES, {
      default: 'basic',
      help: '`basic`: lists and operations on single records have the seven types of the specification unless a request says `all_types=true`; `all`: all types.',
    }),
    ...apiSettings('DNS_API', 32),
  },
  signer: {
    url: optionalUrl('SIGNER_URL', ['http', 'https'], {
      help: 'Base URL of the signer; unset: domains cannot be signed, and signed domains cannot be changed.',
    }),
    secret: optionalText('SIGNER_SECRET', {
      secret: true,
      help: 'Secret for the signer: at least 32 characters, the same in both services.',
    }),
    signsNewDomains: flag('DNS_API_SIGN_NEW_DOMAINS', {
      default: false,
      help: 'Whether new domains are signed.',
    }),
  },
  database: {
    url: postgresUrl('DATABASE_URL', {
      help: 'PostgreSQL login with the rights of zonewright_dns_api.',
    }),
    sessionUrl: optionalPostgresUrl('DATABASE_SESSION_URL', {
      help: 'Direct connection to PostgreSQL if DATABASE_URL is a pooler in transaction mode; unset: DATABASE_URL.',
    }),
    maxConnections: integer('DNS_API_DATABASE_CONNECTIONS', {
      default: 10,
      minimum: 2,
      maximum: 1000,
      help: 'Maximum number of connections to PostgreSQL, besides four for nameserver status and events.',
    }),
  },
  redis: {
    url: optionalRedisUrl('REDIS_URL', {
      help: 'Redis with revoked tokens; unset: each request asks the identity service.',
    }),
    keyPrefix: text('REDIS_KEY_PREFIX', {
      default: 'zonewright:',
      help: 'Prefix of all Redis keys and channels.',
    }),
  },
  identity: {
    url: url('IDENTITY_URL', ['http', 'https'], {
      default: 'http://127.0.0.1:35357',
      help: 'Base URL of the identity service, without a version.',
    }),
    accessKey: text('DNS_API_SERVICE_ACCESS_KEY', {
      secret: true,
      help: 'Access key id of a user with role `service`, used to validate tokens.',
    }),
    secretKey: text('DNS_API_SERVICE_SECRET_KEY', {
      secret: true,
      help: 'Its secret key.',
    }),
    serviceTypes: list('DNS_API_SERVICE_TYPES', {
      default: ['ext:dns', 'hpext:dns', 'dns'],
      help: 'Catalog types of this service; a token without any gets 401.',
    }),
  },
  access: {
    operatorRoles: list('DNS_API_OPERATOR_ROLES', {
      default: ['dns-operator'],
      help: 'Roles that may read GET /v1/nameservers, v2 pools and service statuses.',
    }),
    cloudAdminRoles: list('DNS_API_CLOUD_ADMIN_ROLES', {
      default: ['dns-cloud-admin'],
      help: 'Roles that may act for every project in v2 and change quotas, TLDs, blacklists and TSIG keys.',
    }),
  },
  transferKeys,
  peers: {
    maxPeers: integer('DNS_API_MAX_PEERS', {
      default: 8,
      help: 'Maximum number of peers (secondaries) of a project.',
    }),
    mayBePrivate: flag('DNS_API_PRIVATE_PEERS', {
      default: false,
      help: 'Whether NOTIFY may go to private and loopback addresses of peers and of parent zones with DSYNC.',
    }),
  },
  secondaries: {
    isAsking: flag('DNS_API_SECONDARIES', {
      default: true,
      help: 'Whether this process queries primaries of secondary zones; at least one must.',
    }),
    mayBePrivate: flag('DNS_API_PRIVATE_PRIMARIES', {
      default: false,
      help: 'Whether primaries may have private and loopback addresses.',
    }),
    maxTransfers: integer('DNS_API_MAX_TRANSFERS', {
      default: 4,
      minimum: 1,
      maximum: 100,
      help: 'Maximum number of concurrent transfers from primaries, two of one project.',
    }),
    maxOctets: integer('DNS_API_MAX_TRANSFER_BYTES', {
      default: 64 * 1024 * 1024,
      minimum: 65_536,
      help: 'Largest transfer from a primary, in bytes, held in memory.',
    }),
    timeoutSeconds: integer('DNS_API_TRANSFER_TIMEOUT_SECONDS', {
      default: 300,
      minimum: 1,
      help: 'Time limit of a transfer from a primary, in seconds.',
    }),
  },
  check: {
    resolver: optionalDnsAddress('DNS_API_CHECK_RESOLVER', {
      help: 'Resolver for GET /v1/domains/{id}/check, address or address:port; unset: delegations and external names are not checked.',
    }),
    nameserverAddresses: dnsAddressesByName('DNS_API_CHECK_NAMESERVERS', {
      help: 'Addresses of nameservers for that check if not port 53 of their names: name=host:port,...',
    }),
  },
  rules: {
    maxDomains: integer('DNS_API_MAX_DOMAINS', {
      default: 20,
      help: 'Maximum number of domains of a project without a quota.',
    }),
    maxDomainRecords: integer('DNS_API_MAX_DOMAIN_RECORDS', {
      default: 500,
      help: 'Maximum number of records of a domain without a quota.',
    }),
    maxRecordsetRecords: integer('DNS_API_MAX_RECORDSET_RECORDS', {
      default: 100,
      help: 'Maximum number of records of one name and type without a quota.',
    }),
    maxDomainOctets: integer('DNS_API_MAX_DOMAIN_OCTETS', {
      default: 4 * 1024 * 1024,
      help: "Maximum bytes of a domain's record data, plus 1024 for each record of its quota.",
    }),
    maxWriteBytesPerMinute: integer('DNS_API_MAX_WRITE_BYTES_PER_MINUTE', {
      default: 16 * 1024 * 1024,
      minimum: 1024,
      help: 'Bytes a minute that changes of a project without a quota may write to the database, ten times as much at once.',
    }),
    mxTargetCheck: oneOf<MxTargetCheck>('MX_TARGET_CHECK', MX_TARGET_CHECKS, {
      default: 'hosted',
      help: '`hosted`: an MX target in a hosted domain must have an address there; `strict`: every target must; `off`: no check. `zonewright-admin quota set` overrides it.',
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
      help: 'Maximum number of zones a second, over all replicas, that get a new serial after a change of nameservers or SOA times.',
    }),
  },
  retention: {
    historyDays: integer('DNS_API_HISTORY_DAYS', {
      default: 90,
      minimum: 1,
      help: "Days for which a domain's changes are kept; the last one always is.",
    }),
    historyMaxBytes: integer('DNS_API_HISTORY_MAX_BYTES', {
      default: 64 * 1024 * 1024,
      minimum: 64 * 1024,
      help: "Maximum bytes of a domain's history; the oldest changes are removed first.",
    }),
    maxDeletedDomains: integer('DNS_API_MAX_DELETED_DOMAINS', {
      default: 100,
      help: 'Maximum number of deleted domains of a project, or its quota of domains if larger; the oldest are removed first.',
    }),
    idempotencyHours: integer('DNS_API_IDEMPOTENCY_HOURS', {
      default: 24,
      minimum: 1,
      help: 'Hours for which the response to a request with an Idempotency-Key is kept.',
    }),
    idempotencyMaxBytes: integer('DNS_API_IDEMPOTENCY_MAX_BYTES', {
      default: 64 * 1024 * 1024,
      help: 'Maximum bytes of these responses of a project; the oldest are removed first, after an hour at the earliest.',
    }),
    maxZoneTasks: integer('DNS_API_MAX_ZONE_TASKS', {
      default: 100,
      minimum: 1,
      help: 'Maximum number of v2 exports, and of imports, of a project; the oldest are removed first.',
    }),
    zoneTaskDays: integer('DNS_API_ZONE_TASK_DAYS', {
      default: 30,
      minimum: 1,
      help: 'Days for which a v2 export or import is listed.',
    }),
    zoneTransferDays: integer('DNS_API_ZONE_TRANSFER_DAYS', {
      default: 30,
      minimum: 1,
      help: 'Days for which a zone transfer request can be accepted, and then is listed.',
    }),
    nameserverStatusDays: integer('DNS_API_NAMESERVER_STATUS_DAYS', {
      default: 30,
      minimum: 1,
      help: 'Days for which the status of a silent nameserver is kept.',
    }),
  },
  tracing: TRACING_SETTINGS,
} satisfies SettingsTree;

export type DnsApiSettings = SettingsOf<typeof DNS_API_SETTINGS>;
