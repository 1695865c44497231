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

/** Setting whose value in dns.service_settings counts, if there is one. */
function ofDatabase(variable: string, what: string) {
  return optionalInteger(variable, {
    maximum: 2_147_483_647,
    help: `${what}, in seconds, for a database that \`migrate\` has not yet brought to this version. Afterwards the database says it; another value here is reported.`,
  });
}

/** Every setting of the nameserver, by concern. */
export const NAMESERVER_SETTINGS = {
  name: text('NAMESERVER_NAME', {
    default: 'ns1-1',
    help: 'What this process is called in its status row and in answers about itself; different for each.',
  }),
  identityText: optionalText('NAMESERVER_IDENTITY_TEXT', {
    help: 'Answer to NSID (RFC 5001) and id.server TXT CH (RFC 4892); unset: NAMESERVER_NAME; "none" gives no answer.',
  }),
  versionText: text('NAMESERVER_VERSION_TEXT', {
    default: 'zonewright',
    help: 'Answer to version.bind TXT CH (RFC 4892); "none" refuses the question.',
  }),
  logLevel: oneOf<LogLevel>('LOG_LEVEL', LOG_LEVELS, {
    default: 'info',
    help: 'Least severity that is logged.',
  }),
  listen: {
    hosts: addresses('NAMESERVER_HOST', {
      default: ['0.0.0.0', '::'],
      help: 'Addresses to answer on, over UDP and TCP; 0.0.0.0 and :: stand for every address of the machine.',
    }),
    port: port('NAMESERVER_PORT', {
      default: 53,
      help: 'Port for UDP and TCP; 0 takes a free one.',
    }),
    isHandedOver: flag('NAMESERVER_HANDOVER', {
      default: false,
      help: 'Restart without loss (Linux): answer beside an older process on the same port, and let a newer one take over.',
    }),
    operationsHost: optionalText('NAMESERVER_OPERATIONS_HOST', {
      help: 'Address of the port for health and metrics; unset: the first of NAMESERVER_HOST.',
    }),
    operationsPort: port('NAMESERVER_OPERATIONS_PORT', {
      default: 9103,
      help: 'Port for health and metrics; 0 takes a free one.',
    }),
  },
  database: {
    url: postgresUrl('DATABASE_URL', {
      help: 'PostgreSQL, or a streaming replica of it, from which zones are read.',
    }),
    statusUrl: optionalPostgresUrl('NAMESERVER_STATUS_DATABASE_URL', {
      help: 'Where the status row is written when DATABASE_URL is a replica; unset: the same.',
    }),
  },
  image: {
    octets: integer('NAMESERVER_IMAGE_BYTES', {
      default: 2_147_483_648,
      minimum: 1_048_576,
      // Node.js 20 makes no larger Uint8Array than of 4 GiB.
      maximum: Math.min(MAX_IMAGE_OCTETS, constants.MAX_LENGTH),
      help: 'Address space reserved for zones, in octets; only what zones fill takes memory. At most 8589934592, with Node.js 20 4294967296.',
    }),
  },
  snapshot: {
    folder: optionalText('NAMESERVER_SNAPSHOT_DIR', {
      help: 'Folder for snapshots of all zones, from which a start answers before it has reached PostgreSQL; unset: none.',
    }),
    intervalSeconds: integer('NAMESERVER_SNAPSHOT_INTERVAL_SECONDS', {
      default: 300,
      minimum: 1,
      help: 'Least time between two snapshots, in seconds.',
    }),
  },
  feed: {
    pollIntervalMs: integer('NAMESERVER_FEED_POLL_INTERVAL_MS', {
      default: 1_000,
      minimum: 10,
      help: 'How often the feed is read without a notification, in milliseconds.',
    }),
    stallTimeoutMs: integer('NAMESERVER_FEED_STALL_TIMEOUT_MS', {
      default: 10_000,
      minimum: 100,
      help: 'How long a reading of the feed may bring nothing before its connection is given up, in milliseconds.',
    }),
    staleAfterSeconds: integer('NAMESERVER_STALE_AFTER_SECONDS', {
      default: 300,
      minimum: 1,
      help: 'How long the feed may be out of reach before answers are marked as possibly stale (RFC 8914), in seconds.',
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
      help: 'How UDP is answered: in batches by worker threads (Linux), by node:dgram, or auto: the first that can be had.',
    }),
    workers: integer('NAMESERVER_UDP_WORKERS', {
      default: 0,
      maximum: MAX_WORKERS,
      help: 'Threads that answer UDP in batches, each of which takes some 20 MiB; 0: one for each core that may be used, 8 at most.',
    }),
    maxPayloadOctets: integer('NAMESERVER_UDP_MAX_PAYLOAD_BYTES', {
      default: 1_232,
      minimum: 512,
      maximum: 4_096,
      help: 'Longest answer over UDP, announced to clients (RFC 9715), in octets.',
    }),
    receiveBufferOctets: integer('NAMESERVER_UDP_RECEIVE_BUFFER_BYTES', {
      default: 4_194_304,
      minimum: 65_536,
      maximum: 1_073_741_824,
      help: "Kernel's queue of queries for each UDP socket, in octets; the system may allow less.",
    }),
  },
  tcp: {
    idleTimeoutMs: integer('NAMESERVER_TCP_IDLE_TIMEOUT_MS', {
      default: 10_000,
      minimum: 100,
      maximum: 600_000,
      help: 'How long a TCP connection may be without a complete query or an answer taken, in milliseconds.',
    }),
    maxConnections: integer('NAMESERVER_TCP_MAX_CONNECTIONS', {
      default: 1_000,
      minimum: 1,
      help: 'TCP connections in all; beyond it the one that was useful longest ago is closed.',
    }),
    maxConnectionsPerSource: integer('NAMESERVER_TCP_MAX_CONNECTIONS_PER_SOURCE', {
      default: 100,
      minimum: 1,
      help: 'TCP connections from one IPv4 address or IPv6 /64; beyond it the one that was useful longest ago is closed.',
    }),
    writeBufferOctets: integer('NAMESERVER_TCP_WRITE_BUFFER_BYTES', {
      default: 131_072,
      minimum: 1,
      help: 'Answers waiting for a slow reader, in octets, from which on its further queries wait.',
    }),
  },
  cookieSecrets: cookieSecrets('NAMESERVER_COOKIE_SECRETS', {
    help: 'DNS cookie secrets (RFC 9018) of all nameservers together: 32 hex digits each, by commas, the newest first; unset: one made at start.',
  }),
  transfer: {
    keyring: keyring('TRANSFER_ENCRYPTION_KEYS', {
      help: "Keys that open the secrets of peers' transfer keys, as dns-api has them: id:base64 pairs separated by commas. Unset: no transfers, no NOTIFY.",
    }),
    maxTransfers: integer('NAMESERVER_MAX_TRANSFERS', {
      default: 10,
      minimum: 1,
      help: 'Transfers of zones to peers that run at once; others wait.',
    }),
    maxTransfersPerPeer: integer('NAMESERVER_MAX_TRANSFERS_PER_PEER', {
      default: 4,
      minimum: 1,
      help: 'Of these, to one peer.',
    }),
    timeoutMs: integer('NAMESERVER_TRANSFER_TIMEOUT_MS', {
      default: 3_600_000,
      minimum: 1_000,
      help: 'How long one transfer may take, in milliseconds; one of which no message is taken ends with NAMESERVER_TCP_IDLE_TIMEOUT_MS.',
    }),
    isNotifying: flag('NAMESERVER_NOTIFY', {
      default: true,
      help: 'Tell peers of changes (NOTIFY). All nameservers do: peers take it from those that they have as primaries.',
    }),
    notifySources: addresses('NAMESERVER_NOTIFY_SOURCES', {
      default: [],
      help: 'Addresses that NOTIFY is sent from, one of each family; unset: those of NAMESERVER_HOST that are no wildcards.',
    }),
  },
  updates: {
    dnsApiUrl: optionalUrl('NAMESERVER_UPDATE_URL', ['http', 'https'], {
      help: 'Base URL of the DNS API, which does dynamic updates (RFC 2136), without a version; unset: updates are refused.',
    }),
    identityUrl: url('IDENTITY_URL', ['http', 'https'], {
      default: 'http://127.0.0.1:35357',
      help: 'Base URL of the identity service, without a version: where the token for relaying updates comes from.',
    }),
    accessKey: optionalText('NAMESERVER_SERVICE_ACCESS_KEY', {
      secret: true,
      help: 'Access key id of a user with the role `nameserver` and no other, as which updates are relayed.',
    }),
    secretKey: optionalText('NAMESERVER_SERVICE_SECRET_KEY', {
      secret: true,
      help: 'Secret key that belongs to NAMESERVER_SERVICE_ACCESS_KEY.',
    }),
  },
  rateLimit: {
    enabled: flag('NAMESERVER_RATE_LIMIT', {
      default: true,
      help: 'Limit UDP answers to one network, equal ones and all of them, against reflection attacks.',
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
      help: 'Octets of all answers a second to one network (IPv4 /24, IPv6 /56) over UDP; some 2,000 to 4,000 usual answers.',
    }),
    slip: integer('NAMESERVER_RATE_LIMIT_SLIP', {
      default: 2,
      maximum: 255,
      help: 'Of the answers over the limit each n-th goes out truncated, so that real clients come by TCP; 0: none.',
    }),
    tableEntries: integer('NAMESERVER_RATE_LIMIT_TABLE_ENTRIES', {
      default: 65_536,
      minimum: 64,
      maximum: 16_777_216,
      help: 'Networks, and pairs of network and answer, that are remembered, 17 octets each.',
    }),
    exemptNetworks: networks('NAMESERVER_RATE_LIMIT_EXEMPT_NETWORKS', {
      default: ['127.0.0.0/8', '::1/128'],
      help: 'Networks that are never limited, in the form 192.0.2.0/24, by commas.',
    }),
  },
} satisfies SettingsTree;

export type NameserverSettings = SettingsOf<typeof NAMESERVER_SETTINGS>;
