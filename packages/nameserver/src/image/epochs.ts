import { IMAGE_WORD, MAX_READERS } from './layout.js';

/*
 * Decides when the memory of a replaced block may be used again. Each reader publishes the epoch at which it began its
 * current batch of queries, or IDLE between batches. The writer first swaps the block out and then begins a new epoch.
 * A reader that is idle, or began in that epoch or later, reads the directory after the swap, so it cannot use the old
 * block. Epochs are sequentially consistent atomics: if the writer saw a reader idle, the reader sees the swap.
 *
 * The reader follows the directory and blocks by ordinary loads, which are much faster. They come after the last atomic
 * load of enterImage(). Each loads one aligned word, which is never torn. A block is reached only through the word that
 * was read in its slot.
 */

/** Value of a reader that is not in the image. Epochs skip this value when they wrap around. */
const IDLE = 0;

export const FIRST_EPOCH = 1;

/** Starts a reader's batch. Everything that it finds in the image stays in place until it leaves or enters again. */
export function enterImage(words: Int32Array, reader: number): void {
  Atomics.store(words, IMAGE_WORD.READER_EPOCHS + reader, Atomics.load(words, IMAGE_WORD.EPOCH));
  // Keeps later loads after the store on processors that reorder them: an atomic load is a barrier.
  Atomics.load(words, IMAGE_WORD.EPOCH);
}

/** Ends a reader's batch. It has no reference into the image and may sleep without delaying the writer. */
export function leaveImage(words: Int32Array, reader: number): void {
  Atomics.store(words, IMAGE_WORD.READER_EPOCHS + reader, IDLE);
}

/** Called by the writer after it has replaced a block. Returns the epoch of the replaced block. */
export function beginEpoch(words: Int32Array): number {
  let next = (Atomics.load(words, IMAGE_WORD.EPOCH) + 1) | 0;
  if (next === IDLE) next = FIRST_EPOCH;
  Atomics.store(words, IMAGE_WORD.EPOCH, next);
  return next;
}

/** Whether every reader has left the image since `epoch` began. */
export function hasEpochPassed(words: Int32Array, epoch: number): boolean {
  for (let reader = 0; reader < MAX_READERS; reader++) {
    const entered = Atomics.load(words, IMAGE_WORD.READER_EPOCHS + reader);
    // Compares the difference, since epochs wrap around after some weeks with a thousand changes a second.
    if (entered !== IDLE && ((entered - epoch) | 0) < 0) return false;
  }
  return true;
}
