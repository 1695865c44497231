import type { FeedLineage, FeedPosition, FeedServers, SoaTimes } from '@zonewright/database';
import type { FollowedDatabase } from '../sync/database-identity-check.js';

/** What zones were made with besides their rows where `servers` has no settings; if it is another now, they have to be made again. */
interface SnapshotEnvironment {
  readonly times: SoaTimes;
  readonly nameserverDomainTtl: number;
}

/** What a snapshot says about the image in it. */
export interface SnapshotContent {
  /** Every change before it is in the image. */
  readonly position: FeedPosition;
  /** Of the database that the position is of; absent where it does not tell, and in snapshots of older versions. */
  readonly lineage?: FeedLineage | undefined;
  /** Whose zones they are; absent where it has no identity, and in snapshots of older versions. */
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
