import { RR_TYPE, wireToName } from '@zonewright/dns-records';
import {
  MAX_NSEC3_ITERATIONS,
  NSEC3_OPT_OUT,
  NSEC3_SHA1,
  nsec3FromWire,
  nsec3ParametersFromWire,
} from '@zonewright/dns-records/dnssec';
import {
  digestBlocks,
  digestName,
  prefixOfDigestLabel,
  writeDigestLabel,
} from '../wire/name-digest.js';
import { readInt32 } from '../wire/octets.js';
import { sha1Digest } from '../wire/sha1.js';
import { NODE_FLAG } from '../image/layout.js';
import { NODES_PER_YIELD, type Interruptible } from '../image/steps.js';
import {
  findRrsetOfNode,
  parentName,
  type ZoneNode,
  type ZoneTree,
  WILDCARD_LABEL,
} from './zone-tree.js';

/** Denial of a zone by NSEC3 (RFC 5155), while the zone is compiled. */
export interface HashedDenial {
  /** Rdata of the NSEC3PARAM of the chain that answers use. */
  readonly parameters: Uint8Array;
  /** Owner names in the chain without the apex, in the order of their hashes. */
  readonly names: readonly string[];
  /**
   * Two numbers for each node of the tree, in its order: the position in the chain of its NSEC3, and of the NSEC3
   * that denies the wildcard below it. Positions start at 1. A negative number is the position of an NSEC3 that
   * covers the name; 0 is none.
   */
  readonly proofs: Int32Array;
}

/** Number of SHA-1 blocks that take a fraction of a millisecond. */
const BLOCKS_A_STEP = 1_024;
const LABEL_OCTETS = 32;

/** Returns the parameters that answers use (RFC 5155 s7.3). Undefined if the zone has no usable NSEC3. */
export function nsec3ParametersOf(apex: ZoneNode): Uint8Array | undefined {
  const rdatas = findRrsetOfNode(apex, RR_TYPE.NSEC3PARAM)?.rdatas ?? [];
  return rdatas.find((rdata) => {
    const parameters = nsec3ParametersFromWire(rdata);
    if (parameters === undefined) return false;
    const { algorithm, flags, iterations } = parameters;
    return algorithm === NSEC3_SHA1 && flags === 0 && iterations <= MAX_NSEC3_ITERATIONS;
  });
}

/**
 * Reads the chain and finds the proofs of all names. Marks the nodes that hold only NSEC3, which do not exist for
 * queries (s7.2.8).
 * @throws Error if the chain has a gap, or lacks a name without opt-out
 */
export function* planHashedDenial(
  apex: Uint8Array,
  parameters: Uint8Array,
  tree: ZoneTree,
): Interruptible<HashedDenial> {
  const chain = new Chain(parameters, yield* listChain(parameters, tree));
  yield* markProofs(tree);
  const parents = yield* listParents(tree);
  const digester = new Digester(apex, parameters);
  const proofs = new Int32Array(tree.size * 2);
  let at = 0;
  for (const node of tree.values()) {
    if ((node.flags & (NODE_FLAG.BELOW_CUT | NODE_FLAG.PROOF)) === 0) {
      proofs[at] = yield* findOwnProof(node, digester, chain);
      if (parents.has(node.name)) proofs[at + 1] = yield* findWildcardProof(node, digester, chain);
    }
    at += 2;
  }
  return { parameters, names: chain.links.map(({ name }) => name), proofs };
}

function* findOwnProof(node: ZoneNode, digester: Digester, chain: Chain): Interruptible<number> {
  const place = chain.find(yield* digester.labelOf(node.name));
  if (place < 0 && !(chain.isOptOut(-place) && mayBeOptedOut(node))) {
    const wire = Buffer.from(`${node.name}\0`, 'latin1');
    throw new Error(`${node.name === '' ? 'The apex' : wireToName(wire)} has no NSEC3 record.`);
  }
  return place;
}

/** Finds the proof for a name with names below it. For others, a query searches for the wildcard. */
function* findWildcardProof(
  node: ZoneNode,
  digester: Digester,
  chain: Chain,
): Interruptible<number> {
  return chain.find(yield* digester.labelOf(WILDCARD_LABEL + node.name));
}

/**
 * Whether the name is an unsigned delegation, or an empty non-terminal that exists only because of one (RFC 5155 s7.1).
 */
function mayBeOptedOut(node: ZoneNode): boolean {
  if (node.name === '') return false;
  const isCut = (node.flags & NODE_FLAG.CUT) !== 0;
  return isCut ? findRrsetOfNode(node, RR_TYPE.DS) === undefined : node.rrsets.length === 0;
}

interface Link {
  readonly name: string;
  readonly label: string;
  readonly isOptOut: boolean;
  readonly nextLabel: string;
}

/** Lists the NSEC3 records with these parameters. */
function* listChain(parameters: Uint8Array, tree: ZoneTree): Interruptible<Link[]> {
  const links: Link[] = [];
  let done = 0;
  for (const node of tree.values()) {
    if (++done % NODES_PER_YIELD === 0) yield;
    const link = readLink(node, parameters);
    if (link !== undefined) links.push(link);
  }
  return links;
}

function readLink(node: ZoneNode, parameters: Uint8Array): Link | undefined {
  const rrset = findRrsetOfNode(node, RR_TYPE.NSEC3);
  const label = labelOfOwner(node.name);
  if (rrset === undefined || label === undefined) return undefined;
  const [rdata] = rrset.rdatas;
  if (rdata === undefined || !hasParameters(rdata, parameters)) return undefined;
  const nsec3 = nsec3FromWire(rdata);
  if (nsec3?.nextHash.length !== sha1Digest.length * 4 || rrset.rdatas.length > 1) {
    throw new Error(`The NSEC3 record at ${label} cannot be read.`);
  }
  const isOptOut = (nsec3.flags & NSEC3_OPT_OUT) !== 0;
  return { name: node.name, label, isOptOut, nextLabel: labelOfHash(nsec3.nextHash) };
}

/** Whether an NSEC3 has the parameters: it starts like NSEC3PARAM, except for the flags. */
function hasParameters(rdata: Uint8Array, parameters: Uint8Array): boolean {
  return parameters.every((octet, at) => at === 1 || rdata[at] === octet);
}

/** Returns undefined if the owner is not a hash below the apex. */
function labelOfOwner(name: string): string | undefined {
  if (name.length !== LABEL_OCTETS + 1 || name.charCodeAt(0) !== LABEL_OCTETS) return undefined;
  const label = name.slice(1);
  return prefixOfDigestLabel(label) === undefined ? undefined : label;
}

const labelOctets = Buffer.alloc(LABEL_OCTETS);

function labelOfDigest(): string {
  writeDigestLabel(labelOctets);
  return labelOctets.toString('latin1');
}

function labelOfHash(hash: Uint8Array): string {
  for (let word = 0; word < sha1Digest.length; word++) sha1Digest[word] = readInt32(hash, word * 4);
  return labelOfDigest();
}

/** NSEC3 records in the order of their hashes, which is also that of their labels. */
class Chain {
  readonly links: readonly Link[];

  /** @throws Error unless each NSEC3 leads to the next, and the last to the first */
  constructor(parameters: Uint8Array, links: Link[]) {
    this.links = links.sort((a, b) => (a.label < b.label ? -1 : 1));
    if (links.length === 0)
      throw new Error(`No NSEC3 record has the parameters of the NSEC3PARAM record.`);
    for (const [place, { label, nextLabel }] of this.links.entries()) {
      if (nextLabel === links[(place + 1) % links.length]!.label) continue;
      throw new Error(`The NSEC3 record at ${label} does not point to the next one.`);
    }
  }

  /** Returns the position of the NSEC3 with this hash, starting at 1; negative if it covers the hash. */
  find(label: string): number {
    let low = 0;
    let high = this.links.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.links[middle]!.label <= label) low = middle + 1;
      else high = middle;
    }
    if (low === 0) return -this.links.length;
    return this.links[low - 1]!.label === label ? low : -low;
  }

  isOptOut(place: number): boolean {
    return this.links[place - 1]!.isOptOut;
  }
}

/** Hashes names of one zone. */
class Digester {
  readonly #apex: string;
  readonly #parameters: Uint8Array;
  #blocks = 0;

  constructor(apex: Uint8Array, parameters: Uint8Array) {
    this.#apex = Buffer.from(apex).toString('latin1').toLowerCase();
    this.#parameters = parameters;
  }

  *labelOf(name: string): Interruptible<string> {
    const wire = Buffer.from(name + this.#apex, 'latin1');
    digestName(this.#parameters, 0, wire, 0, wire.length);
    const label = labelOfDigest();
    this.#blocks += digestBlocks(this.#parameters, 0, wire.length);
    if (this.#blocks >= BLOCKS_A_STEP) {
      this.#blocks = 0;
      yield;
    }
    return label;
  }
}

/** Marks nodes that hold only NSEC3 and have no names below them. */
function* markProofs(tree: ZoneTree): Interruptible<void> {
  const parents = yield* listParents(tree);
  let done = 0;
  for (const node of tree.values()) {
    if (++done % NODES_PER_YIELD === 0) yield;
    const isOfHash = labelOfOwner(node.name) !== undefined && node.rrsets.length > 0;
    const holdsProof = node.rrsets.every(
      ({ type, covers }) => type === RR_TYPE.NSEC3 || covers === RR_TYPE.NSEC3,
    );
    // Nodes below a DNAME at the apex are proofs, too.
    if (isOfHash && holdsProof && !parents.has(node.name)) node.flags = NODE_FLAG.PROOF;
  }
}

/** Lists names with names below them, without those that contain proofs. */
function* listParents(tree: ZoneTree): Interruptible<Set<string>> {
  const parents = new Set<string>();
  let done = 0;
  for (const { name, flags } of tree.values()) {
    if (++done % NODES_PER_YIELD === 0) yield;
    if (name !== '' && (flags & NODE_FLAG.PROOF) === 0) parents.add(parentName(name));
  }
  return parents;
}
