import { enterImage, leaveImage } from './epochs.js';
import { IMAGE_MAGIC, IMAGE_WORD, type ImageState } from './layout.js';

/** Image as octets and as 32-bit words, for the find functions. */
export interface ImageView {
  readonly octets: Uint8Array;
  readonly words: Int32Array;
  /** View of the octets, for the numbers in nodes. */
  readonly view: DataView;
}

/** Returns a view of the buffer, whose content is not checked. */
export function viewImage(buffer: SharedArrayBuffer): ImageView {
  return {
    octets: new Uint8Array(buffer),
    words: new Int32Array(buffer),
    view: new DataView(buffer),
  };
}

/**
 * View of the zone image for one thread.
 *
 * A UDP worker has a separate reader index (0 to MAX_READERS - 1) and calls `enter()` before each batch of queries and
 * `leave()` before it blocks. The thread of the ImageWriter needs no index: it does not write while it answers.
 */
export class ImageReader implements ImageView {
  readonly octets: Uint8Array;
  readonly words: Int32Array;
  readonly view: DataView;
  readonly #readerIndex: number | null;

  constructor(buffer: SharedArrayBuffer, readerIndex: number | null = null) {
    this.octets = new Uint8Array(buffer);
    this.words = new Int32Array(buffer);
    this.view = new DataView(buffer);
    if (this.words[IMAGE_WORD.MAGIC] !== IMAGE_MAGIC)
      throw new Error('The data is not a zone image.');
    this.#readerIndex = readerIndex;
  }

  enter(): void {
    if (this.#readerIndex !== null) enterImage(this.words, this.#readerIndex);
  }

  leave(): void {
    if (this.#readerIndex !== null) leaveImage(this.words, this.#readerIndex);
  }

  get state(): ImageState {
    return this.words[IMAGE_WORD.STATE] as ImageState;
  }
}
