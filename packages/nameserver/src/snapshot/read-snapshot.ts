import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { isReadableImage } from '../image/image-writer.js';
import type { SnapshotContent } from './snapshot-format.js';
import {
  CHECKSUM,
  CHECKSUM_OCTETS,
  decodeLengths,
  fileOctets,
  SNAPSHOT_HEADER_OCTETS,
} from './snapshot-format.js';

export interface ReadSnapshot {
  readonly content: SnapshotContent;
  readonly image: SharedArrayBuffer;
}

const CHUNK_OCTETS = 4 * 1024 * 1024;

/**
 * Reads a snapshot into an image of `imageOctets`.
 * @throws Error with the reason if it is not intact
 */
export function readSnapshot(path: string, imageOctets: number): ReadSnapshot {
  const fd = openSync(path, 'r');
  try {
    const header = readExactly(fd, SNAPSHOT_HEADER_OCTETS);
    const lengths = decodeLengths(header);
    if (fstatSync(fd).size !== fileOctets(lengths)) throw new Error('it is not complete');
    if (lengths.image > imageOctets)
      throw new Error('its image is larger than the image of this process may be');
    const json = readExactly(fd, lengths.content);
    const hash = createHash(CHECKSUM).update(header).update(json);
    const image = new SharedArrayBuffer(imageOctets);
    const octets = new Uint8Array(image, 0, lengths.image);
    const chunk = Buffer.allocUnsafe(CHUNK_OCTETS);
    for (let at = 0; at < octets.length;) {
      const part = fill(fd, chunk.subarray(0, Math.min(chunk.length, octets.length - at)));
      hash.update(part);
      octets.set(part, at);
      at += part.length;
    }
    if (!hash.digest().equals(readExactly(fd, CHECKSUM_OCTETS))) {
      throw new Error('its checksum does not match its content');
    }
    if (!isReadableImage(new Int32Array(image))) {
      throw new Error('its image has a different layout');
    }
    return { content: JSON.parse(json.toString()) as SnapshotContent, image };
  } finally {
    closeSync(fd);
  }
}

/** Returns the start time of the process that wrote this snapshot. Undefined if there is no readable snapshot. */
export function writerStartOf(path: string): number | undefined {
  try {
    const fd = openSync(path, 'r');
    try {
      const { content } = decodeLengths(readExactly(fd, SNAPSHOT_HEADER_OCTETS));
      const json = JSON.parse(readExactly(fd, content).toString()) as SnapshotContent;
      return json.writerStartedAt;
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
}

function readExactly(fd: number, octets: number): Buffer {
  return fill(fd, Buffer.alloc(octets));
}

function fill(fd: number, target: Buffer): Buffer {
  for (let at = 0; at < target.length;) {
    const read = readSync(fd, target, at, target.length - at, null);
    if (read === 0) throw new Error('it is not complete');
    at += read;
  }
  return target;
}
