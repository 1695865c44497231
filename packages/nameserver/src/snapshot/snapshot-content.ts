import type { FeedLineage, FeedPosition, FeedServers, SoaTimes } from '@zonewright/database';
import type { FollowedDatabase } from '../sync/database-identity-check.js';

/**
 * Settings that zones were made with, besides their rows, if `servers` has no settings. If they change, the zones are
 * made again.
 */
interface SnapshotEnvironment {
  readonly times: SoaTimes;
  readonly nameserverDomainTtl: number;
}

/** Description of the image in a snapshot. */
export interface SnapshotContent {
  /** Every change before it is in the image. */
  readonly position: FeedPosition;
  /** Lineage of the database that the position is from. Absent if unknown, and in snapshots of older versions. */
  readonly lineage?: FeedLineage | undefined;
  /** Identity of the database that the zones are from. Absent if it has none, and in snapshots of older versions. */
  readonly database?: FollowedDatabase | undefined;
  readonly servers: FeedServers;
  /** Serial of the user's zone in the nameserver domain, if there is one. */
  readonly sharedZoneSerial: number | null;
  readonly environment: SnapshotEnvironment;
  /** When the feed had last been read, in milliseconds since 1970. */
  readonly readAt: number;
  /** When the process that wrote it was started: of two writers the younger one wins. */
  readonly writerStartedAt: number;
}
