import type { Database } from '@zonewright/database';
import type { RequestGate } from '@zonewright/http-api';
import type { Clock, Logger, BatchQueues, Tracing } from '@zonewright/service-kit';
import type { TokenValidator } from '../access/token-validator.js';
import type { KeyClient } from '../access/key-client.js';
import type { TsigClient } from '../access/tsig-client.js';
import type { EventStreams } from './event-streams.js';
import type { Process } from './processes.js';
import type { NameserverAsker } from '../doctor/nameserver-asker.js';
import type { Doctor } from '../doctor/doctor.js';
import type {
  PublicationWatch,
  RecordsetCounts,
  ZoneGroups,
  ZoneNames,
  ZoneReader,
  ZoneSigner,
} from '@zonewright/zones';
import type { Compression } from '../limits/compression.js';
import type { TenantShares } from '../limits/tenant-shares.js';
import type { TransferBudget } from '../limits/transfer-budget.js';
import type { WriteBudget } from '../limits/write-budget.js';
import type { Metrics } from '../settings/metrics.js';
import type { RenderedLists } from '../limits/rendered-lists.js';
import type { DnsApiSettings } from '../settings/settings.js';

/** The dependencies of request handlers, created once in service.ts. */
export interface Context {
  readonly settings: DnsApiSettings;
  readonly db: Database;
  readonly zones: ZoneReader;
  readonly zoneNames: ZoneNames;
  readonly lists: RenderedLists;
  readonly compression: Compression;
  readonly recordsetCounts: RecordsetCounts;
  readonly publication: PublicationWatch;
  readonly events: EventStreams;
  readonly doctor: Doctor;
  readonly asker: NameserverAsker;
  readonly tokens: TokenValidator;
  readonly processes: readonly Process[];
  /** Undefined in tests without an identity service. */
  readonly tsig: TsigClient | undefined;
  /** Undefined in tests without an identity service. */
  readonly keys: KeyClient | undefined;
  /** Undefined if no signer is configured. */
  readonly signer: ZoneSigner | undefined;
  /** The queues of record changes, by zone. */
  readonly changes: BatchQueues;
  readonly groups: ZoneGroups;
  readonly writes: WriteBudget;
  readonly transfers: TransferBudget;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly gate: RequestGate;
  readonly shares: TenantShares;
  /** Undefined if tracing is off. */
  readonly tracing: Tracing | undefined;
}
