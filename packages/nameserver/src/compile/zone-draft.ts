import { RR_TYPE } from '@zonewright/dns-records';
import { BlockNodes, NO_POSITION } from './block-nodes.js';
import { blockOctets, countRecords } from './compile-zone.js';
import {
  DEAD_LABEL,
  MAX_ZONE_OCTETS,
  NODE_FLAG,
  NODE_FLAGS_OFFSET,
  NODE_NAME_OFFSET,
  ZONE_APEX_LENGTH_OFFSET,
  ZONE_WORD,
} from '../image/layout.js';
import { NOT_FOUND } from '../image/directory.js';
import {
  findRrset,
  isSignedZone,
  type NextBlock,
  type PatchedBlock,
  type Written,
} from '../image/zone-block.js';
import { alignNode, indexEntry, insertIntoIndex, nodeOctets, writeNode } from './node-writer.js';
import type { PatchPlan } from './plan-patch.js';
import { copyOctets, type Interruptible } from '../image/steps.js';
import { orderedNames } from '../image/zone-order.js';
import {
  HIDING_FLAGS,
  hidingFlags,
  isWildcard,
  parentName,
  WILDCARD_LABEL,
  type ZoneNode,
} from './zone-tree.js';

interface Layout extends Pick<NextBlock, 'take' | 'roomBehind'> {
  /** End of the current nodes; `putsEnd` includes those to be added. */
  readonly nodesEnd: number;
  readonly putsEnd: number;
  readonly orderNames: number | undefined;
}

/**
 * Maximum number of words that are written again for the block after the next. Writing more would take as long as a
 * copy.
 */
const MAX_WORDS = 65_536;

/** The next block of a zone under construction, based on the current one; no reader sees it yet. */
export class PatchedZone extends BlockNodes implements PatchedBlock {
  readonly #nodesStart: number;
  readonly #isLaidOutAnew: boolean;
  readonly #words: number[] = [];
  #nodesEnd: number;

  private constructor(block: Uint8Array, nodesEnd: number, isLaidOutAnew: boolean) {
    super(block);
    this.#nodesStart = nodesEnd;
    this.#nodesEnd = nodesEnd;
    this.#isLaidOutAnew = isLaidOutAnew;
  }

  /** Copies the current block, with room after its nodes for the new ones. */
  static *next(
    source: BlockNodes,
    puts: readonly ZoneNode[],
    { nodesEnd = source.word(ZONE_WORD.INDEX_OFFSET), before, ...memory }: NextBlock,
  ): Interruptible<PatchedZone> {
    const putsEnd = puts.reduce((end, node) => end + nodeOctets(node), nodesEnd);
    if (putsEnd > source.word(ZONE_WORD.INDEX_OFFSET)) {
      const orderNames = isSignedZone(source, 0)
        ? orderedNames(source, 0) + puts.length
        : undefined;
      return yield* PatchedZone.#layOutAnew(source, { nodesEnd, putsEnd, orderNames, ...memory });
    }
    if (before !== undefined) return PatchedZone.#after(before, source);
    const block = memory.take(source.octets.length);
    yield* copyOctets(source.octets, block, 0);
    return new PatchedZone(block, nodesEnd, false);
  }

  /** Starts from the block before the current one, which differs little from it. */
  static #after(
    { block, written }: NonNullable<NextBlock['before']>,
    source: BlockNodes,
  ): PatchedZone {
    const { nodesStart, nodesEnd, words } = written;
    const draft = new PatchedZone(block, nodesEnd, false);
    block.set(source.octets.subarray(0, ZONE_APEX_LENGTH_OFFSET));
    block.set(source.octets.subarray(nodesStart, nodesEnd), nodesStart);
    for (const word of words) draft.words[word] = source.word(word);
    return draft;
  }

  /** Lays out the block again. Room for more patches than this one counts as unused memory. */
  static *#layOutAnew(
    source: BlockNodes,
    { nodesEnd, putsEnd, orderNames, take, roomBehind = () => 0 }: Layout,
  ): Interruptible<PatchedZone> {
    const indexBefore = source.word(ZONE_WORD.INDEX_OFFSET);
    // The order is written again for each block.
    const room = orderNames === undefined ? roomBehind(nodesEnd) : 0;
    const indexOffset = putsEnd + alignNode(Math.floor(room));
    const slots = source.word(ZONE_WORD.INDEX_MASK) + 1;
    const octets = blockOctets(indexOffset, slots, orderNames);
    if (octets > MAX_ZONE_OCTETS) throw new Error(`The zone would take ${octets} octets.`);
    const block = take(octets);
    yield* copyOctets(source.octets.subarray(0, nodesEnd), block, 0);
    const index = source.octets.subarray(indexBefore, indexBefore + slots * 4);
    yield* copyOctets(index, block, indexOffset);
    const draft = new PatchedZone(block, nodesEnd, true);
    draft.words[ZONE_WORD.OCTETS] = octets;
    draft.words[ZONE_WORD.INDEX_OFFSET] = indexOffset;
    draft.words[ZONE_WORD.DEAD_OCTETS]! += indexOffset - indexBefore;
    return draft;
  }

  get nodesEnd(): number {
    return this.#nodesEnd;
  }

  get written(): Written | undefined {
    if (this.#isLaidOutAnew || this.#words.length > MAX_WORDS) return undefined;
    return { nodesStart: this.#nodesStart, nodesEnd: this.#nodesEnd, words: this.#words };
  }

  *apply({ puts, removals }: PatchPlan): Interruptible<void> {
    const cutsChanged = new Set<string>();
    for (const node of puts.values()) {
      if (this.#hidingFlags(node.name) !== hidingFlags(node)) cutsChanged.add(node.name);
      this.#put(node);
    }
    for (const name of removals) {
      if (this.#hidingFlags(name) !== 0) cutsChanged.add(name);
      this.#remove(name);
    }
    for (const name of puts.keys()) this.#markOwn(name);
    const wildcards = [...puts.keys(), ...removals].filter(isWildcard);
    for (const name of wildcards) this.#markParentOfWildcard(name);
    if (cutsChanged.size === 0) return;
    yield* this.visitBelow(cutsChanged, (node) => {
      this.#setFlag(node, NODE_FLAG.BELOW_CUT, this.#isBelowCut(this.nameOf(node)));
      if (isSignedZone(this, 0)) this.#checkDenial(node);
    });
  }

  /** Names that come below a cut leave the NSEC chain; names that are no longer below one join it. */
  #checkDenial(node: number): void {
    const isBelowCut = (this.flagsOf(node) & NODE_FLAG.BELOW_CUT) !== 0;
    const needsNsec = this.rrsetsOf(node) > 0 && !isBelowCut;
    const hasNsec = findRrset(this, node, RR_TYPE.NSEC) !== NOT_FOUND;
    if (hasNsec !== needsNsec)
      throw new Error('Names below a zone cut are missing from the changed names.');
  }

  #put(node: ZoneNode): void {
    node.flags = hidingFlags(node);
    const start = this.#nodesEnd;
    const position = this.find(node.name);
    if (position === NO_POSITION) {
      this.#words.push(insertIntoIndex(this.words, node.hash, start));
    } else {
      this.#bury(this.nodeAt(position));
      this.words[position] = indexEntry(node.hash, start);
      this.#words.push(position);
    }
    this.#nodesEnd = writeNode(this.octets, start, node);
    this.words[ZONE_WORD.DEAD_OCTETS]! -= this.#nodesEnd - start;
    this.words[ZONE_WORD.RECORDS]! += countRecords(node);
    if (node.name === '') this.words[ZONE_WORD.APEX_NODE] = start;
  }

  /** The index keeps the entry, because lookups of other names continue past it. */
  #remove(name: string): void {
    const node = this.nodeAt(this.find(name));
    this.#bury(node);
    this.#setOctet(node, NODE_NAME_OFFSET, DEAD_LABEL);
  }

  #bury(node: number): void {
    const { octets, records } = this.measure(node);
    this.words[ZONE_WORD.DEAD_OCTETS]! += octets;
    this.words[ZONE_WORD.RECORDS]! -= records;
  }

  /** Sets the flags of a new node that depend on other names. */
  #markOwn(name: string): void {
    const node = this.nodeAt(this.find(name));
    this.#setFlag(node, NODE_FLAG.WILDCARD_CHILD, this.has(WILDCARD_LABEL + name));
    this.#setFlag(node, NODE_FLAG.BELOW_CUT, this.#isBelowCut(name));
  }

  #markParentOfWildcard(name: string): void {
    const parent = this.find(parentName(name));
    if (parent === NO_POSITION) return;
    this.#setFlag(this.nodeAt(parent), NODE_FLAG.WILDCARD_CHILD, this.has(name));
  }

  #isBelowCut(name: string): boolean {
    let ancestor = name;
    while (ancestor !== '') {
      ancestor = parentName(ancestor);
      if (this.#hidingFlags(ancestor) !== 0) return true;
    }
    return false;
  }

  #hidingFlags(name: string): number {
    const position = this.find(name);
    return position === NO_POSITION ? 0 : this.flagsOf(this.nodeAt(position)) & HIDING_FLAGS;
  }

  #setFlag(node: number, flag: number, isSet: boolean): void {
    const flags = this.flagsOf(node);
    this.#setOctet(node, NODE_FLAGS_OFFSET, isSet ? flags | flag : flags & ~flag);
  }

  /** Sets one of the first four octets of a node, which form a word. */
  #setOctet(node: number, offset: number, octet: number): void {
    if (this.octets[node + offset] === octet) return;
    this.octets[node + offset] = octet;
    if (node < this.#nodesStart) this.#words.push(node >> 2);
  }
}
