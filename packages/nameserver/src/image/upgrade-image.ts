import { hashBelow } from './block-nodes.js';
import { blockOctets } from './compile-zone.js';
import { listZones } from './directory.js';
import { viewImage } from './image-reader.js';
import { ImageWriter } from './image-writer.js';
import {
  DEAD_LABEL,
  EMPTY_SLOT,
  IMAGE_MAGIC_BEFORE,
  IMAGE_STATE,
  IMAGE_WORD,
  NODE_NAME_LENGTH_OFFSET,
  NODE_NAME_OFFSET,
  NODE_OFFSET_MASK,
  ZONE_APEX_LENGTH_OFFSET,
  ZONE_WORD,
} from './layout.js';
import { alignNode, nodeEnd } from './node-writer.js';
import { insertIntoIndex } from './zone-index.js';

/** Of "ZWI3", where nodes began at multiples of four octets and the header had a word less. */
const APEX_LENGTH_OFFSET = 40;
const ALIGN_SHIFT = 2;

/** Goes on with an image that a snapshot holds; one of the layout before is written anew. */
export function resumeImage(buffer: SharedArrayBuffer): ImageWriter {
  const image = viewImage(buffer);
  if (image.words[IMAGE_WORD.MAGIC] !== IMAGE_MAGIC_BEFORE) return ImageWriter.resume(buffer);
  const writer = ImageWriter.create(buffer.byteLength);
  for (const zone of listZones(image)) writer.put(upgradeBlock(image.octets, zone));
  writer.setState(IMAGE_STATE.CURRENT);
  return writer;
}

/** The block of the zone at this offset. */
function upgradeBlock(image: Uint8Array, zone: number): Uint8Array {
  const octets = image.subarray(zone);
  const words = new Int32Array(image.buffer, zone);
  const apex = octets.subarray(
    APEX_LENGTH_OFFSET,
    APEX_LENGTH_OFFSET + 1 + octets[APEX_LENGTH_OFFSET]!,
  );
  const nodesOffset = alignNode(ZONE_APEX_LENGTH_OFFSET + apex.length);
  const nodes = livingNodes(octets, words);
  const indexOffset = nodes.reduce(
    (end, node) => alignNode(end + nodeEnd(octets, node) - node),
    nodesOffset,
  );
  const slots = words[ZONE_WORD.INDEX_MASK]! + 1;
  const block = new Uint8Array(blockOctets(indexOffset, slots));
  const header = new Int32Array(block.buffer);
  header.set(words.subarray(0, APEX_LENGTH_OFFSET >> 2));
  block.set(apex, ZONE_APEX_LENGTH_OFFSET);
  header[ZONE_WORD.OCTETS] = block.length;
  header[ZONE_WORD.INDEX_OFFSET] = indexOffset;
  header[ZONE_WORD.INDEX_IN_USE] = 0;
  header[ZONE_WORD.DEAD_OCTETS] = 0;
  let at = nodesOffset;
  for (const node of nodes) {
    const length = octets[node + NODE_NAME_LENGTH_OFFSET]!;
    if (length === 0) header[ZONE_WORD.APEX_NODE] = at;
    const hash = hashBelow(words[ZONE_WORD.APEX_HASH]!, octets, node + NODE_NAME_OFFSET, length);
    insertIntoIndex(header, hash, at);
    const end = nodeEnd(octets, node);
    block.set(octets.subarray(node, end), at);
    at = alignNode(at + end - node);
  }
  return block;
}

function livingNodes(octets: Uint8Array, words: Int32Array): number[] {
  const first = words[ZONE_WORD.INDEX_OFFSET]! >> 2;
  const index = words.subarray(first, first + words[ZONE_WORD.INDEX_MASK]! + 1);
  const nodes: number[] = [];
  for (const entry of index) {
    if (entry === EMPTY_SLOT) continue;
    const node = (entry & NODE_OFFSET_MASK) << ALIGN_SHIFT;
    const isApex = octets[node + NODE_NAME_LENGTH_OFFSET] === 0;
    if (isApex || octets[node + NODE_NAME_OFFSET] !== DEAD_LABEL) nodes.push(node);
  }
  return nodes;
}
