import { LookupName, setLookupName, toLookupName } from '../wire/lookup-name.js';
import { BlockNodes } from './block-nodes.js';
import { compactZone } from './compact-zone.js';
import { negativeTtlOf } from './compile-zone.js';
import { ZONE_WORD } from '../image/layout.js';
import { isSignedZone, type NextBlock, type PatchedBlock } from '../image/zone-block.js';
import { patchSignedZone } from './patch-order.js';
import { planPatch } from './plan-patch.js';
import type { Interruptible } from '../image/steps.js';
import { indexSlots } from './node-writer.js';
import { PatchedZone } from './zone-draft.js';
import {
  addRecord,
  finishRrsets,
  isEqual,
  relativeName,
  type ZoneNode,
  type ZoneRecord,
} from './zone-tree.js';

/** Change of a zone: all records that some of its names now have. */
export interface ZonePatch {
  readonly apex: Uint8Array;
  readonly serial: number;
  /**
   * The changed names, always including the apex, whose SOA changes each time. A name may have many records or none.
   */
  readonly owners: Iterable<Uint8Array>;
  /** All records at these names. Records of one name are in the same order as for compileZone(). */
  readonly records: Iterable<ZoneRecord>;
}

const IN_NEW_MEMORY: NextBlock = { take: (octets) => new Uint8Array(octets) };

/**
 * Maximum unused part of a block before it is compacted. It trades an eighth of memory for fewer passes over all names.
 */
const MAX_DEAD_PART = 1 / 8;

/**
 * Makes the zone's next block from its current one. Answers from it are the same as from a newly compiled block. The
 * cost is a copy of the block, or only of the changes if `next` has a block that is nearly the same. Removed names, and
 * added or removed cuts, need a pass over all names. Throws as compileZone() does; the memory of the block then has
 * arbitrary content.
 */
export function* patchZoneInParts(
  block: Uint8Array,
  patch: ZonePatch,
  next: NextBlock = IN_NEW_MEMORY,
): Interruptible<PatchedBlock> {
  const changed = groupByName(patch);
  const present = new BlockNodes(block);
  const source = yield* withRoom(present, changed, next.nodesEnd);
  const plan = yield* planPatch(source, changed);
  const place = source === present ? next : { ...next, nodesEnd: undefined, before: undefined };
  const draft = yield* PatchedZone.next(source, [...plan.puts.values()], place);
  yield* draft.apply(plan);
  const apex = changed.get('')!;
  draft.words[ZONE_WORD.SERIAL] = patch.serial;
  draft.words[ZONE_WORD.NEGATIVE_TTL] = negativeTtlOf(patch.apex, apex);
  if (isSignedZone(source, 0)) {
    yield* patchSignedZone(source, draft, plan, { apex, serial: patch.serial });
  }
  return draft;
}

/** Groups the records by name and rejects names that cannot exist, so that other functions can rely on them. */
function groupByName(patch: ZonePatch): Map<string, ZoneNode> {
  const apex = toLookupName(patch.apex);
  const changed = new Map<string, ZoneNode>();
  const owner = new LookupName();
  for (const wireName of patch.owners) {
    setLookupName(owner, wireName);
    const name = relativeName(owner, apex);
    changed.set(name, { name, hash: owner.hashes[0]!, flags: 0, rrsets: [] });
  }
  let node: ZoneNode | undefined;
  let nodeOwner: Uint8Array | undefined;
  for (const record of patch.records) {
    if (nodeOwner === undefined || !isEqual(nodeOwner, record.owner)) {
      setLookupName(owner, record.owner);
      node = changed.get(relativeName(owner, apex));
      nodeOwner = record.owner;
    }
    if (node === undefined) throw new Error('A record belongs to a name that has not changed.');
    addRecord(node, record);
  }
  for (const each of changed.values()) finishRrsets(each);
  return changed;
}

function* withRoom(
  block: BlockNodes,
  changed: ReadonlyMap<string, ZoneNode>,
  nodesEnd = block.word(ZONE_WORD.INDEX_OFFSET),
): Interruptible<BlockNodes> {
  let moreNames = 0;
  // Each name can add itself and its ancestors. Each label takes at least two octets.
  for (const name of changed.keys()) moreNames += (name.length >> 1) + 1;
  const slots = block.word(ZONE_WORD.INDEX_MASK) + 1;
  const hasRoom = indexSlots(block.word(ZONE_WORD.INDEX_IN_USE) + moreNames) <= slots;
  const room = block.word(ZONE_WORD.INDEX_OFFSET) - nodesEnd;
  const isClear = block.word(ZONE_WORD.DEAD_OCTETS) - room <= nodesEnd * MAX_DEAD_PART;
  return hasRoom && isClear ? block : yield* compactZone(block, moreNames);
}
