import { openDatabase } from '@zonewright/database';
import type { TsigKey } from '@zonewright/dns-records';
import type { Clock, Logger } from '@zonewright/service-kit';
import type { ImageWriter } from './image/image-writer.js';
import type { NameserverSettings } from './settings/settings.js';
import type { TransferCounters } from './stats/transfer-counters.js';
import { GuardedDatabase } from './sync/guarded-database.js';
import { PeerService } from './transfer/peer-service.js';

interface PeersOptions {
  readonly settings: NameserverSettings;
  readonly image: ImageWriter;
  readonly counters: TransferCounters;
  readonly onKeys: (keys: readonly TsigKey[]) => void;
  readonly isLoaded: () => boolean;
  readonly clock: Clock;
  readonly log: Logger;
}

const STATEMENT_TIMEOUT_MS = 30_000;
const WILDCARDS: readonly string[] = ['0.0.0.0', '::'];

/** Creates the service for peers from the settings. It does not connect yet. */
export function createPeers({ settings, ...others }: PeersOptions): PeerService {
  const { database, feed, listen, transfer } = settings;
  const guarded = (url: string) =>
    new GuardedDatabase({
      open: () =>
        openDatabase({
          url,
          applicationName: 'zonewright-nameserver-peers',
          maxConnections: 1,
          requiresSchema: true,
          statementTimeoutMs: STATEMENT_TIMEOUT_MS,
        }),
      stallTimeoutMs: feed.stallTimeoutMs,
    });
  const ownAddresses = listen.hosts.filter((host) => !WILDCARDS.includes(host));
  return new PeerService({
    ...others,
    ...transfer,
    database: guarded(database.url),
    statusDatabase: database.statusUrl === undefined ? undefined : guarded(database.statusUrl),
    notifySources: transfer.notifySources.length > 0 ? transfer.notifySources : ownAddresses,
    pollIntervalMs: feed.pollIntervalMs,
  });
}
