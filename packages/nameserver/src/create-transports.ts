import { randomBytes } from 'node:crypto';
import type { Clock, Logger } from '@zonewright/service-kit';
import type { AnswerSettings } from './message/answer-settings.js';
import { type FindKey, QueryContext } from './message/query-context.js';
import { createUdpTransport } from './create-udp-transport.js';
import { ImageReader } from './image/image-reader.js';
import type { ImageWriter } from './image/image-writer.js';
import type { NameserverSettings } from './settings/settings.js';
import type { TransportCounters } from './stats/transport-counters.js';
import {
  type AnswerStream,
  FaultLog,
  type HandleQuery,
  type UdpTransport,
  type WriteFault,
} from './transport/transport.js';
import type { listLocalAddresses } from './transport/source-address.js';
import { createTcpAnswer, type TransferRequest } from './transport/tcp-answer.js';
import { PortSharing } from './transport/port-sharing.js';
import { TcpServer } from './transport/tcp-server.js';
import { UdpBatchTransport } from './udp/udp-batch.js';
import type { AnswerRelayed } from './relay/received-message.js';

/** Everything that answers queries. */
export interface Transports {
  readonly udp: UdpTransport;
  readonly tcp: TcpServer;
  /** Whether another process may answer on the same port, so that a newer one can replace an older one. */
  readonly isPortShared: boolean;
}

/** Keys and zone transfers of peers. */
interface PeerAccess {
  readonly findKey: FindKey;
  readonly answer: (request: TransferRequest) => AnswerStream;
}

interface TransportsOptions {
  readonly settings: NameserverSettings;
  readonly image: ImageWriter;
  readonly counters: TransportCounters;
  readonly handleQuery: HandleQuery;
  /** Undefined if updates are refused, and only the keys of peers are known. */
  readonly answerRelayed?: AnswerRelayed | undefined;
  /** Answers transfers by access key. Undefined in the same cases as `answerRelayed`. */
  readonly answerTransferByKey?: ((request: TransferRequest) => AnswerStream) | undefined;
  /** Undefined if there are no peers. */
  readonly peers?: PeerAccess | undefined;
  readonly listAddresses: typeof listLocalAddresses | undefined;
  /** Tests run TypeScript sources, which worker threads cannot load. */
  readonly batchWorkerUrl?: URL | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}

const COMPILED_WORKER = new URL('./udp/udp-batch-worker.js', import.meta.url);

const COOKIE_SECRET_OCTETS = 16;
/** Value of a setting that hides the text. */
const NO_TEXT = 'none';

/** Creates the UDP and TCP transports from the settings. They open nothing yet. */
export function createTransports(options: TransportsOptions): Transports {
  const { settings, image, counters, handleQuery, clock, log } = options;
  const answerSettings = toAnswerSettings(settings, log);
  const writeFault: WriteFault = (fault, faults) => {
    log.error({ err: fault, faults }, 'a query caused an error: SERVFAIL');
  };
  const { hosts } = settings.listen;
  const context = new QueryContext(new ImageReader(image.buffer), answerSettings);
  context.findKey = options.peers?.findKey ?? null;
  const answer = createTcpAnswer({
    handleQuery,
    context,
    transfers: { ofPeer: options.peers?.answer, ofKey: options.answerTransferByKey },
    answerRelayed: options.answerRelayed,
    counters: counters.tcp.queries,
    faults: new FaultLog(writeFault, clock),
    clock,
  });
  const udp = createUdpTransport({
    settings,
    answerSettings,
    image,
    counters,
    handleQuery,
    listAddresses: options.listAddresses,
    findKey: options.peers?.findKey,
    answerRelayed: options.answerRelayed,
    batchWorkerUrl: options.batchWorkerUrl ?? COMPILED_WORKER,
    writeFault,
    clock,
    log,
  });
  const portSharing = createPortSharing(settings, udp, log);
  const tcp = new TcpServer({
    hosts,
    answer,
    ...settings.tcp,
    portSharing,
    counters: counters.tcp,
    clock,
    log,
  });
  return { udp, tcp, isPortShared: portSharing !== undefined };
}

/**
 * Creates the sharing of the port. Sockets of node:dgram lose their queue when they close, so a new process cannot
 * take them over.
 */
function createPortSharing(
  { listen }: NameserverSettings,
  udp: UdpTransport,
  log: Logger,
): PortSharing | undefined {
  if (!listen.isHandedOver) return undefined;
  if (udp instanceof UdpBatchTransport) return new PortSharing(log);
  log.warn(
    'NAMESERVER_HANDOVER has no effect: only UDP in batches (NAMESERVER_UDP_TRANSPORT) can be handed over',
  );
  return undefined;
}

function toAnswerSettings(settings: NameserverSettings, log: Logger): AnswerSettings {
  const identity = settings.identityText ?? settings.name;
  return {
    nsid: Buffer.from(identity === NO_TEXT ? '' : identity),
    versionText: settings.versionText === NO_TEXT ? null : settings.versionText,
    serverIdText: identity === NO_TEXT ? null : identity,
    cookieSecrets: cookieSecretsOf(settings, log),
    maxUdpPayloadOctets: settings.udp.maxPayloadOctets,
    tcpIdleTimeoutDeciseconds: Math.floor(settings.tcp.idleTimeoutMs / 100),
  };
}

/**
 * RFC 9018 s3: servers that share a name must share the secret, or clients lose their cookies when they change
 * servers.
 */
function cookieSecretsOf(settings: NameserverSettings, log: Logger): readonly Uint8Array[] {
  if (settings.cookieSecrets.length > 0) return settings.cookieSecrets;
  log.info(
    'NAMESERVER_COOKIE_SECRETS is not set: DNS cookies of this server are valid until it restarts',
  );
  return [randomBytes(COOKIE_SECRET_OCTETS)];
}
