import { ImageWriter } from './image-writer.js';
import {
  DIRECTORY_UNIT_MASK,
  DIRECTORY_WORD,
  EMPTY_SLOT,
  IMAGE_MAGIC_BEFORE,
  IMAGE_STATE,
  IMAGE_WORD,
  REMOVED_SLOT,
  wordOfOffset,
  ZONE_WORD,
} from './layout.js';

/** Of "ZWI4", whose blocks are ours. */
const UNIT_OCTETS = 16;

/** Goes on with an image that a snapshot holds; one of the layout before is written anew. */
export function resumeImage(buffer: SharedArrayBuffer): ImageWriter {
  const octets = new Uint8Array(buffer);
  const words = new Int32Array(buffer);
  if (words[IMAGE_WORD.MAGIC] !== IMAGE_MAGIC_BEFORE) return ImageWriter.resume(buffer);
  const writer = ImageWriter.create(buffer.byteLength);
  const directory = wordOfOffset(words[IMAGE_WORD.DIRECTORY_UNIT]! * UNIT_OCTETS);
  const first = directory + DIRECTORY_WORD.SLOTS;
  for (const entry of words.subarray(first, first + words[directory + DIRECTORY_WORD.MASK]! + 1)) {
    if (entry === EMPTY_SLOT || entry === REMOVED_SLOT) continue;
    const block = (entry & DIRECTORY_UNIT_MASK) * UNIT_OCTETS;
    const header = words.subarray(wordOfOffset(block));
    const isZone = header[ZONE_WORD.INDEX_OFFSET] !== 0;
    if (isZone) writer.put(octets.subarray(block, block + header[ZONE_WORD.OCTETS]!));
  }
  writer.setState(IMAGE_STATE.CURRENT);
  return writer;
}
