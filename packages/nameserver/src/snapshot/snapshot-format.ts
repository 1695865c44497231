import type { FeedLineage, FeedPosition, FeedServers, SoaTimes } from '@zonewright/database';
import { offsetOfUnit, unitOfOffset } from '../image/layout.js';
import type { FollowedDatabase } from '../sync/database-identity-check.js';

/**
 * Settings with which zones were compiled, in addition to their rows, if `servers` has no settings. If they change, the
 * zones are compiled again.
 */
interface SnapshotEnvironment {
  readonly times: SoaTimes;
  readonly nameserverDomainTtl: number;
}

/** Description of the image in a snapshot. */
export interface SnapshotContent {
  /** Position before which the image contains every change. */
  readonly position: FeedPosition;
  /** Timeline of the database that the position belongs to. Absent if unknown. */
  readonly lineage?: FeedLineage | undefined;
  /** Identity of the database that the zones come from. Absent if it has none. */
  readonly database?: FollowedDatabase | undefined;
  readonly servers: FeedServers;
  /** Serial of the user's zone in the nameserver domain, if there is one. */
  readonly sharedZoneSerial: number | null;
  readonly environment: SnapshotEnvironment;
  /** Time of the last reading of the feed, in milliseconds since 1970. */
  readonly readAt: number;
  /** Start time of the process that wrote it. The later of two writers takes precedence. */
  readonly writerStartedAt: number;
}

/*
 * Snapshot file. Numbers of this layout are big-endian; those in the image are the machine's, as its magic number
 * shows.
 *
 *   "ZWSNAP02" 8 | octets of the content 4 | units of the image 4 | content: JSON | image | SHA-256 of all before 32
 */

const MAGIC = Buffer.from('ZWSNAP02');
export const SNAPSHOT_HEADER_OCTETS = MAGIC.length + 8;
export const CHECKSUM_OCTETS = 32;
export const CHECKSUM = 'sha256';
/** Maximum size of the content, far above that of a list of servers. */
const MAX_CONTENT_OCTETS = 1_048_576;

interface SnapshotLengths {
  readonly content: number;
  readonly image: number;
}

/** Encodes everything before the image. */
export function encodeHead(content: SnapshotContent, imageOctets: number): Buffer {
  const json = Buffer.from(JSON.stringify(content));
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32BE(json.length, 0);
  lengths.writeUInt32BE(unitOfOffset(imageOctets), 4);
  return Buffer.concat([MAGIC, lengths, json]);
}

/**
 * Reads the first SNAPSHOT_HEADER_OCTETS.
 * @throws Error if they are not the header of a snapshot
 */
export function decodeLengths(header: Buffer): SnapshotLengths {
  if (!header.subarray(0, MAGIC.length).equals(MAGIC)) {
    throw new Error('it is not a snapshot, or has a different version');
  }
  const content = header.readUInt32BE(MAGIC.length);
  if (content > MAX_CONTENT_OCTETS) throw new Error('its header is invalid');
  const image = header.readUInt32BE(MAGIC.length + 4);
  return { content, image: offsetOfUnit(image) };
}

/** Returns the length of a file with these parts. */
export function fileOctets({ content, image }: SnapshotLengths): number {
  return SNAPSHOT_HEADER_OCTETS + content + image + CHECKSUM_OCTETS;
}
