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
import { KNOWN_TYPES, type KnownTypes } from '@zonewright/dns-records';
import { MX_TARGET_CHECKS, type MxTargetCheck } from '@zonewright/zones';

import { dnsAddressesByName, optionalDnsAddress } from './address-settings.js';

/** Other keys than those of the identity service: access to this service's environment must not open that service's secrets. */
const transferKeys: Setting<Keyring | undefined> = {
  ...optionalText('TRANSFER_ENCRYPTION_KEYS', {
    secret: true,
    help: 'Keys for the secrets of TSIG keys, id:base64 pairs separated by commas; the first one encrypts. Unset: `POST /v1/peers` and `POST /v2/tsigkeys` are refused.',
  }),
  fallback: { value: undefined },
  parse: parseKeyring,
};

/** Everything that an operator can set for this service; docs/reference/configuration.md is checked against it. */
export const DNS_API_SETTINGS = {
  logLevel: oneOf<LogLevel>('LOG_LEVEL', LOG_LEVELS, {
    default: 'info',
    help: 'The least important lines that are logged.',
  }),
  http: {
    host: text('DNS_API_HOST', { default: '0.0.0.0', help: 'Address to listen on.' }),
    port: port('DNS_API_PORT', { default: 9001, help: 'TCP port of the API; 0: a free one.' }),
    operationsPort: port('DNS_API_OPERATIONS_PORT', {
      default: 9102,
      help: 'TCP port of /healthz, /readyz and /metrics; 0: a free one.',
    }),
    publicUrl: optionalUrl('DNS_API_PUBLIC_URL', ['http', 'https'], {
      help: "URL under which clients reach the API, for Location and links; unset: from each request's Host.",
    }),
    trustedProxies: integer('TRUST_PROXY', {
      default: 0,
      maximum: 16,
      help: 'Number of reverse proxies in front that set X-Forwarded-Proto and -Host. 0 ignores these headers.',
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
      help: 'Largest zone file that can be imported, in bytes; inside JSON it may be as large as a batch.',
    }),
    listsShowTenant: flag('DNS_API_LISTS_SHOW_TENANT', {
      default: true,
      help: 'Lists of records hold `tenant_id` and `version`, as the API document has it; clients of the original service that refuse these need `false`. python-designateclient never gets them.',
    }),
    v1Types: oneOf<KnownTypes>('DNS_API_V1_TYPES', KNOWN_TYPES, {
      default: 'basic',
      help: '`basic`: operations on single records and lists know the seven types of the API document, unless a request says `all_types=true`; `all`: all types. Batches, zone files and history know all anyway.',
    }),
    ...apiSettings('DNS_API', 32),
  },
  signer: {
    url: optionalUrl('SIGNER_URL', ['http', 'https'], {
      help: 'Base URL of signer, which signs zones. Unset: domains cannot be signed, and those that are cannot be changed.',
    }),
    secret: optionalText('SIGNER_SECRET', {
      secret: true,
      help: 'Secret for the signer: at least 32 characters, the same in both services.',
    }),
    signsNewDomains: flag('DNS_API_SIGN_NEW_DOMAINS', {
      default: false,
      help: 'New domains are signed from their beginning; otherwise their owners choose.',
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
      help: 'Most connections to PostgreSQL at a time, four for the status of nameservers and for events not counted.',
    }),
  },
  redis: {
    url: optionalRedisUrl('REDIS_URL', {
      help: 'Redis that tells of revoked tokens; unset: every request asks the identity service.',
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
      help: 'Access key id of a user with the role `service`, by which tokens are validated.',
    }),
    secretKey: text('DNS_API_SERVICE_SECRET_KEY', {
      secret: true,
      help: 'Secret key that belongs to DNS_API_SERVICE_ACCESS_KEY.',
    }),
    serviceTypes: list('DNS_API_SERVICE_TYPES', {
      default: ['ext:dns', 'hpext:dns', 'dns'],
      help: 'Catalog types that stand for this service: a token without any of them gets 401.',
    }),
  },
  access: {
    operatorRoles: list('DNS_API_OPERATOR_ROLES', {
      default: ['dns-operator'],
      help: 'Roles of those who may see what concerns the whole service: GET /v1/nameservers, v2 pools and service statuses.',
    }),
    cloudAdminRoles: list('DNS_API_CLOUD_ADMIN_ROLES', {
      default: ['dns-cloud-admin'],
      help: 'Roles of those who may act for every project in v2, and change quotas, TLDs, blacklists and TSIG keys.',
    }),
  },
  transferKeys,
  peers: {
    maxPeers: integer('DNS_API_MAX_PEERS', {
      default: 8,
      help: 'Peers (secondaries of its own) that a tenant may have.',
    }),
    mayBePrivate: flag('DNS_API_PRIVATE_PEERS', {
      default: false,
      help: 'Peers, and parent zones with DSYNC records, may be told of changes at private and loopback addresses too: for a service inside one network.',
    }),
  },
  secondaries: {
    isAsking: flag('DNS_API_SECONDARIES', {
      default: true,
      help: 'This process asks the primaries of secondary zones. One at least has to; transfers of large zones take time that others answer requests with.',
    }),
    mayBePrivate: flag('DNS_API_PRIVATE_PRIMARIES', {
      default: false,
      help: 'Primaries of secondary zones may have private and loopback addresses, too: for a service inside one network.',
    }),
    maxTransfers: integer('DNS_API_MAX_TRANSFERS', {
      default: 4,
      minimum: 1,
      maximum: 100,
      help: 'Zones that are taken from primaries at a time; two of one tenant.',
    }),
    maxOctets: integer('DNS_API_MAX_TRANSFER_BYTES', {
      default: 64 * 1024 * 1024,
      minimum: 65_536,
      help: 'Longest transfer from a primary, in bytes, which are kept in memory until the zone is written.',
    }),
    timeoutSeconds: integer('DNS_API_TRANSFER_TIMEOUT_SECONDS', {
      default: 300,
      minimum: 1,
      help: 'How long a transfer from a primary may take, in seconds.',
    }),
  },
  check: {
    resolver: optionalDnsAddress('DNS_API_CHECK_RESOLVER', {
      help: 'Resolver that GET /v1/domains/{id}/check asks about delegations and names elsewhere, as address or address:port; unset: these are not checked.',
    }),
    nameserverAddresses: dnsAddressesByName('DNS_API_CHECK_NAMESERVERS', {
      help: 'Addresses of nameservers for that check, if they are not port 53 of their names: name=host:port, separated by commas.',
    }),
  },
  rules: {
    maxDomains: integer('DNS_API_MAX_DOMAINS', {
      default: 20,
      help: 'Domains that a tenant may have, unless its quota says otherwise.',
    }),
    maxDomainRecords: integer('DNS_API_MAX_DOMAIN_RECORDS', {
      default: 500,
      help: "Records that a domain may have, unless its tenant's quota says otherwise.",
    }),
    maxRecordsetRecords: integer('DNS_API_MAX_RECORDSET_RECORDS', {
      default: 100,
      help: "Records of one name and type that a domain may have, unless its tenant's quota says otherwise.",
    }),
    maxDomainOctets: integer('DNS_API_MAX_DOMAIN_OCTETS', {
      default: 4 * 1024 * 1024,
      help: "Octets that the data of a domain's records may have together, beside 1024 for each record that it may have.",
    }),
    maxWriteBytesPerMinute: integer('DNS_API_MAX_WRITE_BYTES_PER_MINUTE', {
      default: 16 * 1024 * 1024,
      minimum: 1024,
      help: 'Bytes that the changes of a tenant may write to the database in a minute, unless its quota sets another limit. Ten times as much at once.',
    }),
    mxTargetCheck: oneOf<MxTargetCheck>('MX_TARGET_CHECK', MX_TARGET_CHECKS, {
      default: 'hosted',
      help: '`hosted`: an MX target in a domain of this service must have an address there; `strict`: every target must; `off`: no check. A tenant can have another rule (`zonewright-admin quota set`).',
    }),
    undeleteDays: integer('DNS_API_UNDELETE_DAYS', {
      default: 30,
      help: 'For how many days a deleted domain can be brought back; then it is removed with its history.',
    }),
  },
  apex: {
    zonesPerSecond: integer('DNS_API_APEX_ZONES_PER_SECOND', {
      default: 1_000,
      minimum: 1,
      maximum: 10_000,
      help: 'How many zones a second, by all replicas together, get a new serial when nameservers or SOA times change: at most, and fewer where the database is busy.',
    }),
  },
  retention: {
    historyDays: integer('DNS_API_HISTORY_DAYS', {
      default: 90,
      minimum: 1,
      help: "For how many days a domain's changes are kept; the last one always is.",
    }),
    historyMaxBytes: integer('DNS_API_HISTORY_MAX_BYTES', {
      default: 64 * 1024 * 1024,
      minimum: 64 * 1024,
      help: "How much of a domain's changes is kept, in bytes: the oldest go first.",
    }),
    maxDeletedDomains: integer('DNS_API_MAX_DELETED_DOMAINS', {
      default: 100,
      help: 'How many deleted domains of a tenant are kept, unless it may have more living ones: the oldest go first.',
    }),
    idempotencyHours: integer('DNS_API_IDEMPOTENCY_HOURS', {
      default: 24,
      minimum: 1,
      help: 'For how many hours the answer to a request with an Idempotency-Key is kept.',
    }),
    idempotencyMaxBytes: integer('DNS_API_IDEMPOTENCY_MAX_BYTES', {
      default: 64 * 1024 * 1024,
      help: 'How much of such answers is kept for a tenant, in bytes: the oldest go first, after an hour at the earliest.',
    }),
    maxZoneTasks: integer('DNS_API_MAX_ZONE_TASKS', {
      default: 100,
      minimum: 1,
      help: 'How many exports, and how many imports, of a tenant are listed in v2: the oldest go first.',
    }),
    zoneTaskDays: integer('DNS_API_ZONE_TASK_DAYS', {
      default: 30,
      minimum: 1,
      help: 'For how many days an export or import of v2 is listed.',
    }),
    zoneTransferDays: integer('DNS_API_ZONE_TRANSFER_DAYS', {
      default: 30,
      minimum: 1,
      help: 'For how many days a zone that is offered to another tenant can be taken, and then is listed.',
    }),
    nameserverStatusDays: integer('DNS_API_NAMESERVER_STATUS_DAYS', {
      default: 30,
      minimum: 1,
      help: 'For how many days the status of a nameserver is kept that is not heard from.',
    }),
  },
  tracing: TRACING_SETTINGS,
} satisfies SettingsTree;

export type DnsApiSettings = SettingsOf<typeof DNS_API_SETTINGS>;
