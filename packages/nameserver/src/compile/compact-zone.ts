import { blockOctets } from './compile-zone.js';
import { BlockNodes } from './block-nodes.js';
import {
  NODE_NAME_LENGTH_OFFSET,
  ZONE_APEX_LENGTH_OFFSET,
  ZONE_APEX_NAME_OFFSET,
  ZONE_WORD,
} from '../image/layout.js';
import { alignNode, indexSlots, insertIntoIndex } from './node-writer.js';
import { writeOrder } from './order-writer.js';
import { NODES_PER_YIELD, type Interruptible } from '../image/steps.js';
import { isSignedZone } from '../image/zone-block.js';
import { orderedNames, orderedNode, signedUntil } from '../image/zone-order.js';

/** Copies the zone without dead nodes, with room in its index for the given number of additional names. */
export function* compactZone(source: BlockNodes, moreNames: number): Interruptible<BlockNodes> {
  const living: number[] = [];
  yield* source.visitAll((node) => living.push(node));
  const slots = indexSlots(living.length + moreNames);
  const indexOffset = source.word(ZONE_WORD.INDEX_OFFSET) - source.word(ZONE_WORD.DEAD_OCTETS);
  const names = isSignedZone(source, 0) ? orderedNames(source, 0) : undefined;
  const octets = blockOctets(indexOffset, slots, names);
  const target = new BlockNodes(new Uint8Array(octets));
  let at = alignNode(ZONE_APEX_NAME_OFFSET + source.octets[ZONE_APEX_LENGTH_OFFSET]!);
  target.octets.set(source.octets.subarray(0, at));
  target.words[ZONE_WORD.OCTETS] = octets;
  target.words[ZONE_WORD.INDEX_MASK] = slots - 1;
  target.words[ZONE_WORD.INDEX_OFFSET] = indexOffset;
  target.words[ZONE_WORD.INDEX_IN_USE] = 0;
  target.words[ZONE_WORD.DEAD_OCTETS] = 0;
  target.words[ZONE_WORD.ORDER_OFFSET] = 0;
  yield* source.visitAll((node) => {
    if (source.octets[node + NODE_NAME_LENGTH_OFFSET] === 0) {
      target.words[ZONE_WORD.APEX_NODE] = at;
    }
    insertIntoIndex(target.words, source.hashOfNode(node), at);
    const end = node + source.measure(node).octets;
    for (let from = node; from < end; from++) target.octets[at++] = source.octets[from]!;
  });
  if (names !== undefined) yield* copyOrder(source, target);
  return target;
}

function* copyOrder(source: BlockNodes, target: BlockNodes): Interruptible<void> {
  const names: string[] = [];
  for (let place = 0; place < orderedNames(source, 0); place++) {
    names.push(source.nameOf(orderedNode(source, 0, place)));
    if (place % NODES_PER_YIELD === 0) yield;
  }
  yield* writeOrder(target, { names, expiration: signedUntil(source, 0) });
}
