import { constants } from 'node:buffer';
import {
  flag,
  integer,
  LOG_LEVELS,
  type LogLevel,
  oneOf,
  optionalInteger,
  optionalPostgresUrl,
  optionalText,
  optionalUrl,
  port,
  postgresUrl,
  type SettingsOf,
  type SettingsTree,
  text,
  url,
} from '@zonewright/service-kit';
import { MAX_IMAGE_OCTETS, MAX_WORKERS } from '../image/layout.js';
import { addresses, cookieSecrets, keyring, networks } from './setting-forms.js';

const UDP_TRANSPORT_NAMES = ['auto', 'batch', 'dgram'] as const;
type UdpTransportName = (typeof UDP_TRANSPORT_NAMES)[number];

/** Creates a setting that a value in dns.service_settings overrides. */
function ofDatabase(variable: string, what: string) {
  return optionalInteger(variable, {
    maximum: 2_147_483_647,
    help: `Expected ${what}; a difference from the database is reported.`,
  });
}

/** All settings of the nameserver, by topic. */
export const NAMESERVER_SETTINGS = {
  name: text('NAMESERVER_NAME', {
    default: 'ns1-1',
    help: 'Unique name of this process.',
  }),
  identityText: optionalText('NAMESERVER_IDENTITY_TEXT', {
    help: 'Answer to NSID and id.server. The default is NAMESERVER_NAME; "none" disables both.',
  }),
  versionText: text('NAMESERVER_VERSION_TEXT', {
    default: 'zonewright',
    help: 'Answer to version.bind; "none": refused.',
  }),
  logLevel: oneOf<LogLevel>('LOG_LEVEL', LOG_LEVELS, {
    default: 'info',
    help: 'Minimum level of log lines.',
  }),
  listen: {
    hosts: addresses('NAMESERVER_HOST', {
      default: ['0.0.0.0', '::'],
      help: 'Addresses for UDP and TCP.',
    }),
    port: port('NAMESERVER_PORT', {
      default: 53,
      help: 'Port for UDP and TCP; 0: any free port.',
    }),
    isHandedOver: flag('NAMESERVER_HANDOVER', {
      default: false,
      help: 'Shares the port with an older or newer process, for restarts (Linux).',
    }),
    operationsHost: optionalText('NAMESERVER_OPERATIONS_HOST', {
      help: 'Address for health and metrics. The default is the first address in NAMESERVER_HOST.',
    }),
    operationsPort: port('NAMESERVER_OPERATIONS_PORT', {
      default: 9103,
      help: 'Port for health and metrics; 0: any free port.',
    }),
  },
  database: {
    url: postgresUrl('DATABASE_URL', {
      help: 'PostgreSQL, or a streaming replica, from which zones are read.',
    }),
    statusUrl: optionalPostgresUrl('NAMESERVER_STATUS_DATABASE_URL', {
      help: 'Primary for the status if DATABASE_URL is a replica. The default is DATABASE_URL.',
    }),
  },
  image: {
    octets: integer('NAMESERVER_IMAGE_BYTES', {
      default: 2_147_483_648,
      minimum: 1_048_576,
      // Node.js 20 limits a Uint8Array to 4 GiB.
      maximum: Math.min(MAX_IMAGE_OCTETS, constants.MAX_LENGTH),
      help: 'Address space for zones; at most 8589934592 (Node.js 20: 4294967296).',
    }),
  },
  snapshot: {
    folder: optionalText('NAMESERVER_SNAPSHOT_DIR', {
      help: 'Folder for snapshots, for starts without PostgreSQL. No snapshots are written if not set.',
    }),
    intervalSeconds: integer('NAMESERVER_SNAPSHOT_INTERVAL_SECONDS', {
      default: 300,
      minimum: 1,
      help: 'Minimum time between snapshots.',
    }),
  },
  feed: {
    pollIntervalMs: integer('NAMESERVER_FEED_POLL_INTERVAL_MS', {
      default: 1_000,
      minimum: 10,
      help: 'Interval between reads of the feed without a notification.',
    }),
    stallTimeoutMs: integer('NAMESERVER_FEED_STALL_TIMEOUT_MS', {
      default: 10_000,
      minimum: 100,
      help: 'Time without data after which a read of the feed is aborted.',
    }),
    staleAfterSeconds: integer('NAMESERVER_STALE_AFTER_SECONDS', {
      default: 300,
      minimum: 1,
      help: 'Time without the feed after which answers are marked stale.',
    }),
  },
  soa: {
    refreshSeconds: ofDatabase('NAMESERVER_SOA_REFRESH_SECONDS', 'REFRESH of SOA records'),
    retrySeconds: ofDatabase('NAMESERVER_SOA_RETRY_SECONDS', 'RETRY of SOA records'),
    expireSeconds: ofDatabase('NAMESERVER_SOA_EXPIRE_SECONDS', 'EXPIRE of SOA records'),
    minimumSeconds: ofDatabase('NAMESERVER_SOA_MINIMUM_SECONDS', 'MINIMUM of SOA records'),
  },
  nameserverDomainTtlSeconds: ofDatabase(
    'NAMESERVER_DOMAIN_TTL_SECONDS',
    'TTL of the records of the nameserver domain',
  ),
  udp: {
    transport: oneOf<UdpTransportName>('NAMESERVER_UDP_TRANSPORT', UDP_TRANSPORT_NAMES, {
      default: 'auto',
      help: '`batch`: worker threads (Linux); `dgram`: node:dgram; `auto`: the first available.',
    }),
    workers: integer('NAMESERVER_UDP_WORKERS', {
      default: 0,
      maximum: MAX_WORKERS,
      help: 'Number of these threads, 20 MiB each; 0: one per core, at most 8.',
    }),
    maxPayloadOctets: integer('NAMESERVER_UDP_MAX_PAYLOAD_BYTES', {
      default: 1_232,
      minimum: 512,
      maximum: 4_096,
      help: 'Largest answer over UDP.',
    }),
    receiveBufferOctets: integer('NAMESERVER_UDP_RECEIVE_BUFFER_BYTES', {
      default: 4_194_304,
      minimum: 65_536,
      maximum: 1_073_741_824,
      help: 'Receive buffer of each UDP socket; the system may allow less.',
    }),
  },
  tcp: {
    idleTimeoutMs: integer('NAMESERVER_TCP_IDLE_TIMEOUT_MS', {
      default: 10_000,
      minimum: 100,
      maximum: 600_000,
      help: 'Idle time after which a TCP connection is closed.',
    }),
    maxConnections: integer('NAMESERVER_TCP_MAX_CONNECTIONS', {
      default: 1_000,
      minimum: 1,
      help: 'Maximum TCP connections; the one idle for the longest time is closed for a new one.',
    }),
    maxConnectionsPerSource: integer('NAMESERVER_TCP_MAX_CONNECTIONS_PER_SOURCE', {
      default: 100,
      minimum: 1,
      help: 'Maximum TCP connections of one IPv4 address or IPv6 /64.',
    }),
    writeBufferOctets: integer('NAMESERVER_TCP_WRITE_BUFFER_BYTES', {
      default: 131_072,
      minimum: 1,
      help: 'Bytes of unread answers above which the queries of a connection wait.',
    }),
  },
  cookieSecrets: cookieSecrets('NAMESERVER_COOKIE_SECRETS', {
    help: 'DNS cookie secrets of all nameservers, 32 hex digits each, newest first. Random if not set.',
  }),
  transfer: {
    keyring: keyring('TRANSFER_ENCRYPTION_KEYS', {
      help: 'Keys that decrypt TSIG secrets, as in dns-api. If not set, there are no transfers and no NOTIFY.',
    }),
    maxTransfers: integer('NAMESERVER_MAX_TRANSFERS', {
      default: 10,
      minimum: 1,
      help: 'Maximum concurrent transfers to peers; others wait.',
    }),
    maxTransfersPerPeer: integer('NAMESERVER_MAX_TRANSFERS_PER_PEER', {
      default: 4,
      minimum: 1,
      help: 'Maximum concurrent transfers to one peer.',
    }),
    timeoutMs: integer('NAMESERVER_TRANSFER_TIMEOUT_MS', {
      default: 3_600_000,
      minimum: 1_000,
      help: 'Time limit of a transfer.',
    }),
    isNotifying: flag('NAMESERVER_NOTIFY', {
      default: true,
      help: 'Whether peers get NOTIFY of changes.',
    }),
    notifySources: addresses('NAMESERVER_NOTIFY_SOURCES', {
      default: [],
      help: 'Source addresses of NOTIFY, one per address family. The default is NAMESERVER_HOST.',
    }),
  },
  updates: {
    dnsApiUrl: optionalUrl('NAMESERVER_UPDATE_URL', ['http', 'https'], {
      help: 'Base URL of dns-api for dynamic updates and transfers by access key, which are refused if not set.',
    }),
    identityUrl: url('IDENTITY_URL', ['http', 'https'], {
      default: 'http://127.0.0.1:35357',
      help: 'Base URL of identity-service, without a version.',
    }),
    accessKey: optionalText('NAMESERVER_SERVICE_ACCESS_KEY', {
      secret: true,
      help: 'Access key of a user with the role `nameserver`, to relay updates.',
    }),
    secretKey: optionalText('NAMESERVER_SERVICE_SECRET_KEY', {
      secret: true,
      help: 'Secret key of this access key.',
    }),
  },
  rateLimit: {
    enabled: flag('NAMESERVER_RATE_LIMIT', {
      default: true,
      help: 'Whether UDP answers are limited per network.',
    }),
    responsesPerSecond: integer('NAMESERVER_RATE_LIMIT_RESPONSES_PER_SECOND', {
      default: 200,
      minimum: 1,
      maximum: 1_000_000,
      help: 'Identical answers a second to one network (IPv4 /24, IPv6 /56) over UDP.',
    }),
    octetsPerSecond: integer('NAMESERVER_RATE_LIMIT_BYTES_PER_SECOND', {
      default: 400_000,
      minimum: 1_000,
      maximum: 1_000_000_000,
      help: 'Bytes of all answers a second to one network over UDP.',
    }),
    slip: integer('NAMESERVER_RATE_LIMIT_SLIP', {
      default: 2,
      maximum: 255,
      help: 'Every n-th answer over the limit is sent truncated; 0: none.',
    }),
    tableEntries: integer('NAMESERVER_RATE_LIMIT_TABLE_ENTRIES', {
      default: 65_536,
      minimum: 64,
      maximum: 16_777_216,
      help: 'Entries of the rate limit table, 17 bytes each.',
    }),
    exemptNetworks: networks('NAMESERVER_RATE_LIMIT_EXEMPT_NETWORKS', {
      default: ['127.0.0.0/8', '::1/128'],
      help: 'Networks without a limit, separated by commas.',
    }),
  },
} satisfies SettingsTree;

export type NameserverSettings = SettingsOf<typeof NAMESERVER_SETTINGS>;
