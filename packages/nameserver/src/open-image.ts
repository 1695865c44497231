import type { Clock, Logger } from '@zonewright/service-kit';
import { ImageWriter } from './image/image-writer.js';
import type { NameserverSettings } from './settings/settings.js';
import type { SnapshotContent } from './snapshot/snapshot-content.js';
import { SnapshotKeeper } from './snapshot/snapshot-keeper.js';

interface OpenedImage {
  readonly image: ImageWriter;
  /** Content of the snapshot that is in the image. Undefined if the image is empty. */
  readonly restored: SnapshotContent | undefined;
  /** Undefined: the settings name no folder. */
  readonly snapshots: SnapshotKeeper | undefined;
}

/** The zone image: that of the last snapshot, if there is one, or an empty one. */
export function openImage(settings: NameserverSettings, clock: Clock, log: Logger): OpenedImage {
  const { folder, intervalSeconds } = settings.snapshot;
  const { octets } = settings.image;
  if (folder === undefined) {
    return { image: ImageWriter.create(octets), restored: undefined, snapshots: undefined };
  }
  const snapshots = new SnapshotKeeper({
    folder,
    intervalMs: intervalSeconds * 1_000,
    clock,
    log: log.child({ subsystem: 'snapshot' }),
  });
  const snapshot = snapshots.load(octets);
  if (snapshot === undefined) {
    return { image: ImageWriter.create(octets), restored: undefined, snapshots };
  }
  const image = ImageWriter.resume(snapshot.image);
  const asOf = new Date(snapshot.content.readAt).toISOString();
  log.info({ zones: image.zones, records: image.records, asOf }, 'answering from a snapshot');
  return { image, restored: snapshot.content, snapshots };
}
