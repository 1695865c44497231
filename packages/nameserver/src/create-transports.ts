import { randomBytes } from 'node:crypto';
import type { Clock, Logger } from '@zonewright/service-kit';
import type { AnswerSettings } from './answer/answer-settings.js';
import { QueryContext } from './answer/query-context.js';
import { ImageReader } from './image/image-reader.js';
import type { NameserverSettings } from './settings.js';
import type { TransportCounters } from './stats/transport-counters.js';
import { FaultLog } from './transport/fault-log.js';
import type { listLocalAddresses } from './transport/local-addresses.js';
import { RateLimiter } from './transport/rate-limiter.js';
import { createTcpAnswer } from './transport/tcp-answer.js';
import { TcpServer } from './transport/tcp-server.js';
import { UdpDgramTransport } from './transport/udp-dgram.js';
import type { HandleQuery, UdpTransport } from './transport/udp-transport.js';

/** Everything that answers queries. */
export interface Transports {
  readonly udp: UdpTransport;
  readonly tcp: TcpServer;
  readonly faults: FaultLog;
}

interface TransportsOptions {
  readonly settings: NameserverSettings;
  readonly image: SharedArrayBuffer;
  readonly counters: TransportCounters;
  readonly handleQuery: HandleQuery;
  readonly listAddresses: typeof listLocalAddresses | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}

const COOKIE_SECRET_OCTETS = 16;
/** The word by which an operator keeps a text to himself. */
const NO_TEXT = 'none';

/** Puts UDP and TCP together from the settings; nothing is opened yet. */
export function createTransports(options: TransportsOptions): Transports {
  const { settings, counters, handleQuery, listAddresses, clock, log } = options;
  const reader = new ImageReader(options.image);
  const answerSettings = toAnswerSettings(settings, log);
  const createContext = () => new QueryContext(reader, answerSettings);
  const faults = new FaultLog(log, clock);
  const { hosts } = settings.listen;
  const answer = createTcpAnswer({
    handleQuery,
    context: createContext(),
    counters: counters.tcp.queries,
    faults,
    clock,
  });
  return {
    udp: new UdpDgramTransport({
      hosts,
      handleQuery,
      createContext,
      ...settings.udp,
      rateLimiter: settings.rateLimit.enabled ? new RateLimiter(settings.rateLimit) : undefined,
      exemptNetworks: settings.rateLimit.exemptNetworks,
      listAddresses,
      counters: counters.udp,
      faults,
      clock,
      log,
    }),
    tcp: new TcpServer({ hosts, answer, ...settings.tcp, counters: counters.tcp, clock, log }),
    faults,
  };
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

/** RFC 9018 s3: servers behind one name must share the secret, or clients lose their cookies from one to the next. */
function cookieSecretsOf(settings: NameserverSettings, log: Logger): readonly Uint8Array[] {
  if (settings.cookieSecrets.length > 0) return settings.cookieSecrets;
  log.info(
    'NAMESERVER_COOKIE_SECRETS is not set: DNS cookies of this server hold until it restarts',
  );
  return [randomBytes(COOKIE_SECRET_OCTETS)];
}
