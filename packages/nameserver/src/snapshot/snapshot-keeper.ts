import { FEED_START } from '@zonewright/database';
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock, Logger } from '@zonewright/service-kit';
import { ImageCapture } from '../image/image-capture.js';
import { removeLeftOvers } from './files.js';
import { type ReadSnapshot, readSnapshot } from './read-snapshot.js';
import type { SnapshotContent } from './snapshot-format.js';
import { previousOf, writeSnapshot } from './write-snapshot.js';

interface SnapshotKeeperOptions {
  readonly folder: string;
  readonly intervalMs: number;
  readonly clock: Clock;
  readonly log: Logger;
}

const FILE_NAME = 'zones.snapshot';
/**
 * Interval of writes even if no zone changes. With an old feed position, the next start would have to read many
 * changes.
 */
const MAX_AGE_MS = 3_600_000;

/** Keeps a snapshot of the image on disk, so that the next start can answer before it has reached PostgreSQL. */
export class SnapshotKeeper {
  readonly #options: SnapshotKeeperOptions;
  readonly #path: string;
  readonly #abort = new AbortController();
  #writing: Promise<void> | undefined;
  #triedAt: number;
  #changedAt = Number.NaN;
  /** Time of the last write in milliseconds since 1970. 0 if there was none. */
  writtenAt = 0;
  failures = 0;

  constructor(options: SnapshotKeeperOptions) {
    this.#options = options;
    this.#path = join(options.folder, FILE_NAME);
    this.#triedAt = options.clock.now() - options.intervalMs;
  }

  /** Returns the latest intact snapshot, or undefined. Logs the errors of the others. */
  load(imageOctets: number): ReadSnapshot | undefined {
    removeLeftOvers(this.#path);
    for (const path of [this.#path, previousOf(this.#path)]) {
      try {
        return readSnapshot(path, imageOctets);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue;
        this.#refuse(path, error as Error);
      }
    }
    return undefined;
  }

  /** Moves a snapshot aside for inspection. It must not become the previous snapshot instead of an intact one. */
  #refuse(path: string, { message }: Error): void {
    this.#options.log.error({ path, reason: message }, 'a snapshot was rejected');
    try {
      renameSync(path, `${path}.refused`);
    } catch (error) {
      this.#options.log.warn({ err: error, path }, 'a rejected snapshot could not be renamed');
    }
  }

  /**
   * Called when the image equals a position of the feed. Starts to write a snapshot if one is due. The service
   * continues in the meantime, even if writing fails.
   * @param changedAt time of the last change of the image
   */
  offer(buffer: SharedArrayBuffer, changedAt: number, content: SnapshotContent): void {
    const now = this.#options.clock.now();
    if (this.#writing !== undefined || isSince(this.#triedAt, now, this.#options.intervalMs))
      return;
    if (changedAt === this.#changedAt && isSince(this.writtenAt, now, MAX_AGE_MS)) return;
    this.#triedAt = now;
    this.#writing = this.#write(buffer, changedAt, content).finally(() => {
      this.#writing = undefined;
    });
  }

  /** Abandons the snapshot that is being written. The previous one is kept. */
  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#writing;
  }

  async #write(
    buffer: SharedArrayBuffer,
    changedAt: number,
    content: SnapshotContent,
  ): Promise<void> {
    const { folder, clock, log } = this.#options;
    const capture = new ImageCapture(buffer);
    try {
      mkdirSync(folder, { recursive: true });
      await writeSnapshot(this.#path, content, capture, this.#abort.signal);
      // The database may not have written the first reading to disk yet, so the position is FEED_START, from which a
      // process reads everything. NaN makes offer() write another snapshot.
      this.#changedAt = content.position === FEED_START ? Number.NaN : changedAt;
      this.writtenAt = clock.now();
      log.debug({ path: this.#path, imageOctets: capture.octets }, 'snapshot written');
    } catch (error) {
      if (this.#abort.signal.aborted) return;
      this.failures++;
      log.error({ err: error, path: this.#path }, 'a snapshot could not be written');
    } finally {
      capture.release();
    }
  }
}

/** Whether the time is within the last milliseconds, or ahead because the clock was set back. */
function isSince(then: number, now: number, milliseconds: number): boolean {
  return then <= now && now - then < milliseconds;
}
