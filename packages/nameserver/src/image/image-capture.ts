import { enterImage, leaveImage } from './epochs.js';
import {
  DIRECTORY_WORD,
  IMAGE_HEADER_OCTETS,
  IMAGE_WORD,
  SNAPSHOT_READER,
  offsetOfUnit,
  wordOfOffset,
} from './layout.js';

/**
 * The image at one moment, without a copy of its zones. Header and directory are copied. The capture is a reader of
 * the image, so the zone blocks of this directory stay in place while zones change. Memory between these blocks does
 * not matter, because ImageWriter.resume() treats it as free.
 */
export class ImageCapture {
  /** Length of the image; memory after it has never been used. */
  readonly octets: number;
  readonly #image: Uint8Array;
  readonly #words: Int32Array;
  readonly #header: Uint8Array;
  readonly #directoryStart: number;
  readonly #directory: Uint8Array;

  /** Called in the writer's thread; one capture at a time. */
  constructor(buffer: SharedArrayBuffer) {
    this.#image = new Uint8Array(buffer);
    this.#words = new Int32Array(buffer);
    enterImage(this.#words, SNAPSHOT_READER);
    this.octets = offsetOfUnit(this.#words[IMAGE_WORD.HIGH_WATER_UNIT]!);
    this.#header = this.#image.slice(0, IMAGE_HEADER_OCTETS);
    this.#directoryStart = offsetOfUnit(this.#words[IMAGE_WORD.DIRECTORY_UNIT]!);
    const directoryOctets =
      this.#words[wordOfOffset(this.#directoryStart) + DIRECTORY_WORD.OCTETS]!;
    const directoryEnd = this.#directoryStart + directoryOctets;
    this.#directory = this.#image.slice(this.#directoryStart, directoryEnd);
  }

  /** Copies octets from `start` on into `target`. Returns their number. */
  read(start: number, target: Uint8Array): number {
    const end = Math.min(start + target.length, this.octets);
    target.set(this.#image.subarray(start, end));
    overlay(target, start, end, this.#header, 0);
    overlay(target, start, end, this.#directory, this.#directoryStart);
    return end - start;
  }

  /** Lets the image reuse the memory of replaced blocks. */
  release(): void {
    leaveImage(this.#words, SNAPSHOT_READER);
  }
}

/**
 * Copies into the target the part of `copy` between `start` and `end`.
 * @param copyStart offset of `copy` in the image
 */
function overlay(
  target: Uint8Array,
  start: number,
  end: number,
  copy: Uint8Array,
  copyStart: number,
): void {
  const from = Math.max(start, copyStart);
  const to = Math.min(end, copyStart + copy.length);
  if (from < to) target.set(copy.subarray(from - copyStart, to - copyStart), from - start);
}
