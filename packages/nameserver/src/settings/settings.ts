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

/** A setting that a value in dns.service_settings overrides. */
function ofDatabase(variable: string, what: string) {
  return optionalInteger(variable, {
    maximum: 2_147_483_647,
    help: `${what}, in seconds. The value in the database counts; another one here is reported.`,
  });
}

/** All settings of the nameserver, by topic. */
export const NAMESERVER_SETTINGS = {
  name: text('NAMESERVER_NAME', {
    default: 'ns1-1',
    help: 'Name of this process in its status and in answers about itself; unique.',
  }),
  identityText: optionalText('NAMESERVER_IDENTITY_TEXT', {
    help: 'Answer to NSID (RFC 5001) and id.server TXT CH (RFC 4892); unset: NAMESERVER_NAME; "none": no answer.',
  }),
  versionText: text('NAMESERVER_VERSION_TEXT', {
    default: 'zonewright',
    help: 'Answer to version.bind TXT CH (RFC 4892); "none": refused.',
  }),
  logLevel: oneOf<LogLevel>('LOG_LEVEL', LOG_LEVELS, {
    default: 'info',
    help: 'Lowest level that is logged.',
  }),
  listen: {
    hosts: addresses('NAMESERVER_HOST', {
      default: ['0.0.0.0', '::'],
      help: 'Addresses for UDP and TCP; 0.0.0.0 and :: are all addresses of the machine.',
    }),
    port: port('NAMESERVER_PORT', {
      default: 53,
      help: 'Port for UDP and TCP; 0: a free one.',
    }),
    isHandedOver: flag('NAMESERVER_HANDOVER', {
      default: false,
      help: 'Restart without lost queries (Linux): shares the port with an older or newer process.',
    }),
    operationsHost: optionalText('NAMESERVER_OPERATIONS_HOST', {
      help: 'Address for health and metrics; unset: the first of NAMESERVER_HOST.',
    }),
    operationsPort: port('NAMESERVER_OPERATIONS_PORT', {
      default: 9103,
      help: 'Port for health and metrics; 0: a free one.',
    }),
  },
  database: {
    url: postgresUrl('DATABASE_URL', {
      help: 'PostgreSQL, or a streaming replica, from which zones are read.',
    }),
    statusUrl: optionalPostgresUrl('NAMESERVER_STATUS_DATABASE_URL', {
      help: 'PostgreSQL primary for the status if DATABASE_URL is a replica; unset: DATABASE_URL.',
    }),
  },
  image: {
    octets: integer('NAMESERVER_IMAGE_BYTES', {
      default: 2_147_483_648,
      minimum: 1_048_576,
      // Node.js 20 limits a Uint8Array to 4 GiB.
      maximum: Math.min(MAX_IMAGE_OCTETS, constants.MAX_LENGTH),
      help: 'Address space for zones, in bytes; zones alone take memory. At most 8589934592 (Node.js 20: 4294967296).',
    }),
  },
  snapshot: {
    folder: optionalText('NAMESERVER_SNAPSHOT_DIR', {
      help: 'Folder for snapshots, from which a start answers without PostgreSQL; unset: none.',
    }),
    intervalSeconds: integer('NAMESERVER_SNAPSHOT_INTERVAL_SECONDS', {
      default: 300,
      minimum: 1,
      help: 'Minimum time between snapshots, in seconds.',
    }),
  },
  feed: {
    pollIntervalMs: integer('NAMESERVER_FEED_POLL_INTERVAL_MS', {
      default: 1_000,
      minimum: 10,
      help: 'Interval between reads of the feed without a notification, in milliseconds.',
    }),
    stallTimeoutMs: integer('NAMESERVER_FEED_STALL_TIMEOUT_MS', {
      default: 10_000,
      minimum: 100,
      help: 'Time without data after which a read of the feed is given up, in milliseconds.',
    }),
    staleAfterSeconds: integer('NAMESERVER_STALE_AFTER_SECONDS', {
      default: 300,
      minimum: 1,
      help: 'Time without the feed after which answers are marked stale (RFC 8914), in seconds.',
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
    "TTL of the nameserver domain's own records",
  ),
  udp: {
    transport: oneOf<UdpTransportName>('NAMESERVER_UDP_TRANSPORT', UDP_TRANSPORT_NAMES, {
      default: 'auto',
      help: 'UDP transport: batches in worker threads (Linux), node:dgram, or auto: the first available.',
    }),
    workers: integer('NAMESERVER_UDP_WORKERS', {
      default: 0,
      maximum: MAX_WORKERS,
      help: 'Number of these threads, about 20 MiB each; 0: one a core, 8 at most.',
    }),
    maxPayloadOctets: integer('NAMESERVER_UDP_MAX_PAYLOAD_BYTES', {
      default: 1_232,
      minimum: 512,
      maximum: 4_096,
      help: 'Largest answer over UDP, announced to clients (RFC 9715), in octets.',
    }),
    receiveBufferOctets: integer('NAMESERVER_UDP_RECEIVE_BUFFER_BYTES', {
      default: 4_194_304,
      minimum: 65_536,
      maximum: 1_073_741_824,
      help: 'Receive buffer of each UDP socket, in bytes; the system may allow less.',
    }),
  },
  tcp: {
    idleTimeoutMs: integer('NAMESERVER_TCP_IDLE_TIMEOUT_MS', {
      default: 10_000,
      minimum: 100,
      maximum: 600_000,
      help: 'Time without a complete query or a read answer after which a TCP connection is closed, in milliseconds.',
    }),
    maxConnections: integer('NAMESERVER_TCP_MAX_CONNECTIONS', {
      default: 1_000,
      minimum: 1,
      help: 'Maximum number of TCP connections; the longest unused is closed for a new one.',
    }),
    maxConnectionsPerSource: integer('NAMESERVER_TCP_MAX_CONNECTIONS_PER_SOURCE', {
      default: 100,
      minimum: 1,
      help: 'The same for one IPv4 address or IPv6 /64.',
    }),
    writeBufferOctets: integer('NAMESERVER_TCP_WRITE_BUFFER_BYTES', {
      default: 131_072,
      minimum: 1,
      help: 'Bytes of unread answers from which on further queries of a connection wait.',
    }),
  },
  cookieSecrets: cookieSecrets('NAMESERVER_COOKIE_SECRETS', {
    help: 'DNS cookie secrets (RFC 9018), the same for all nameservers: 32 hex digits each, separated by commas, newest first; unset: random.',
  }),
  transfer: {
    keyring: keyring('TRANSFER_ENCRYPTION_KEYS', {
      help: 'Keys for TSIG secrets of peers, as in dns-api: id:base64,...; unset: no transfers and no NOTIFY.',
    }),
    maxTransfers: integer('NAMESERVER_MAX_TRANSFERS', {
      default: 10,
      minimum: 1,
      help: 'Maximum number of concurrent transfers to peers; others wait.',
    }),
    maxTransfersPerPeer: integer('NAMESERVER_MAX_TRANSFERS_PER_PEER', {
      default: 4,
      minimum: 1,
      help: 'The same for one peer.',
    }),
    timeoutMs: integer('NAMESERVER_TRANSFER_TIMEOUT_MS', {
      default: 3_600_000,
      minimum: 1_000,
      help: 'Time limit of a transfer, in milliseconds; if nothing is read, NAMESERVER_TCP_IDLE_TIMEOUT_MS ends it.',
    }),
    isNotifying: flag('NAMESERVER_NOTIFY', {
      default: true,
      help: 'Whether peers get NOTIFY of changes; they accept it from their primaries.',
    }),
    notifySources: addresses('NAMESERVER_NOTIFY_SOURCES', {
      default: [],
      help: 'Source addresses of NOTIFY, one a family; unset: those of NAMESERVER_HOST without wildcards.',
    }),
  },
  updates: {
    dnsApiUrl: optionalUrl('NAMESERVER_UPDATE_URL', ['http', 'https'], {
      help: 'Base URL of the DNS API for dynamic updates (RFC 2136), without a version; unset: updates are refused.',
    }),
    identityUrl: url('IDENTITY_URL', ['http', 'https'], {
      default: 'http://127.0.0.1:35357',
      help: 'Base URL of the identity service, without a version.',
    }),
    accessKey: optionalText('NAMESERVER_SERVICE_ACCESS_KEY', {
      secret: true,
      help: 'Access key id of a user with the role `nameserver` alone, used to relay updates.',
    }),
    secretKey: optionalText('NAMESERVER_SERVICE_SECRET_KEY', {
      secret: true,
      help: 'Its secret key.',
    }),
  },
  rateLimit: {
    enabled: flag('NAMESERVER_RATE_LIMIT', {
      default: true,
      help: 'Whether UDP answers to a network are limited, against reflection attacks.',
    }),
    responsesPerSecond: integer('NAMESERVER_RATE_LIMIT_RESPONSES_PER_SECOND', {
      default: 200,
      minimum: 1,
      maximum: 1_000_000,
      help: 'Equal answers a second to one network (IPv4 /24, IPv6 /56) over UDP.',
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
      help: 'Each n-th answer over the limit is sent truncated, so that real clients use TCP; 0: none.',
    }),
    tableEntries: integer('NAMESERVER_RATE_LIMIT_TABLE_ENTRIES', {
      default: 65_536,
      minimum: 64,
      maximum: 16_777_216,
      help: 'Entries of the rate limit table, 17 bytes each.',
    }),
    exemptNetworks: networks('NAMESERVER_RATE_LIMIT_EXEMPT_NETWORKS', {
      default: ['127.0.0.0/8', '::1/128'],
      help: 'Networks without a limit, such as 192.0.2.0/24, separated by commas.',
    }),
  },
} satisfies SettingsTree;

export type NameserverSettings = SettingsOf<typeof NAMESERVER_SETTINGS>;
