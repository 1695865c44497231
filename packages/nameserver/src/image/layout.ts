/**
 * The zone image: all zones of this server in one SharedArrayBuffer. The main thread writes it (image-writer.ts), it
 * and any number of UDP workers read it (image-reader.ts), without locks.
 *
 *   image                 header | directory | zone block | (free) | zone block | ...  | never used
 *                         Blocks start at multiples of 64 octets, a line of the cache. That multiple is their *unit*,
 *                         which names them.
 *
 *   header                magic, version, state, unit of the directory, epoch, counters, an epoch for each reader
 *
 *   directory             [octets][mask][in use][0] slot slot slot ...
 *                         Open addressing by the hash of the zone's name. A slot is 5 bits of the hash and 27 of the
 *                         zone's unit, so that most wrong slots are passed over without touching another cache line.
 *                         Names above zones have slots too, even if they are not zones (names-above-zones.ts).
 *
 *   zone block            header, apex name | node node (dead node) node ... | index | order (signed zones only)
 *                         Never changed once a directory slot names it. Offsets in it count from its start.
 *     node                [flags 1][RRsets 1][name octets 1][name, lower case, without the apex] RRset RRset ...
 *     RRset               [type 2][records 2][signed 1 bit, TTL 31][octets that follow 4] then for each record
 *                         [octets 2][rdata]. The RRSIG of a signed RRset are an RRset of their own directly behind it.
 *     index               Open addressing by the hash of the owner name. An entry is 6 bits of the hash and 26 of the
 *                         node's offset / 8.
 *     order               [names][time at which the first signature ends]. Then for each node with NSEC: [how its key
 *                         begins][its offset]. They are in the canonical order of their names (RFC 4034 s6.1), the
 *                         apex first. In a zone with NSEC3 (RFC 5155), for each node with NSEC3: [how its hash begins]
 *                         [its offset]. They are in the order of the hashes. Then [offset of the NSEC3PARAM rdata].
 *                         Before each node of such a zone: [its NSEC3][the NSEC3 that denies its wildcard], as offsets
 *                         of nodes (zone-proofs.ts).
 *
 * A change writes a new block beside the old one and stores its unit in the directory slot. This is one 32-bit store,
 * so a reader sees the zone as it was or as it is. The old block is used again when every reader has passed a quiet point
 * (epochs.ts). Numbers in nodes are big-endian, as they go out; 32-bit words elsewhere are the machine's.
 *
 * The new block of a large zone is a patched copy of the old one (patch-zone.ts), or the block before that, brought up
 * to date. The new nodes come behind the others, the index leads to them, and the nodes that they replace are dead. A
 * node of a name that is gone keeps its slot in the index, under a name that nobody can ask for: a label of DEAD_LABEL
 * octets.
 *
 * An A record with a name of its own, a label of 8 octets, costs 32 octets in its node and 5 to 11 in the index.
 */

/** "ZWI7"; the last character is the format's version: an image of another layout must not be read. */
export const IMAGE_MAGIC = 0x5a574937;

export const UNIT_OCTETS = 64;
const WORD_OCTETS = 4;
const UNIT_WORDS = UNIT_OCTETS / WORD_OCTETS;

/*
 * Offsets in the image may be 2^31 and more, so they are multiplied and divided: shifts would take them for 32-bit numbers
 * with a sign. While an image is smaller V8 makes shifts of it. Indices of words stay below 2^31 (MAX_IMAGE_OCTETS).
 */

export function offsetOfUnit(unit: number): number {
  return unit * UNIT_OCTETS;
}

export function unitOfOffset(offset: number): number {
  return offset / UNIT_OCTETS;
}

/** Index in `words` of the first word of a unit. */
export function wordOfUnit(unit: number): number {
  return unit * UNIT_WORDS;
}

/** Index in `words` of the word at an offset. */
export function wordOfOffset(offset: number): number {
  return offset / WORD_OCTETS;
}

/** The image's header, as indices of 32-bit words. */
export const IMAGE_WORD = {
  MAGIC: 0,
  STATE: 1,
  DIRECTORY_UNIT: 2,
  EPOCH: 3,
  ZONES: 4,
  RECORDS: 5,
  /** First unit that no block has ever reached; beyond it the pages are untouched. */
  HIGH_WATER_UNIT: 6,
  READER_EPOCHS: 16,
} as const;

export const MAX_READERS = 64;
/** Reads the image to write a snapshot (image-capture.ts); the others are UDP workers. */
export const SNAPSHOT_READER = MAX_READERS - 1;
export const MAX_WORKERS = MAX_READERS - 1;
export const IMAGE_HEADER_OCTETS = (IMAGE_WORD.READER_EPOCHS + MAX_READERS) * 4;

/** State of the image. The writer sets it, and answers depend on it. */
export const IMAGE_STATE = {
  /** Not all zones are in yet: a name that is missing may be ours. */
  LOADING: 0,
  CURRENT: 1,
  /** The database has been out of reach for so long that answers may be outdated. */
  STALE: 2,
} as const;

export type ImageState = (typeof IMAGE_STATE)[keyof typeof IMAGE_STATE];

/** A directory, as indices of 32-bit words from its start. */
export const DIRECTORY_WORD = { OCTETS: 0, MASK: 1, IN_USE: 2, SLOTS: 4 } as const;

export const DIRECTORY_UNIT_BITS = 27;
export const DIRECTORY_UNIT_MASK = (1 << DIRECTORY_UNIT_BITS) - 1;
/** 8 GiB. */
export const MAX_IMAGE_OCTETS = 2 ** DIRECTORY_UNIT_BITS * UNIT_OCTETS;
/** Slot values that name no zone: both lie inside the image's header. */
export const EMPTY_SLOT = 0;
export const REMOVED_SLOT = 1;

/** A zone block's header, as indices of 32-bit words from its start. */
export const ZONE_WORD = {
  OCTETS: 0,
  APEX_HASH: 1,
  SERIAL: 2,
  /** min(TTL of the SOA, its MINIMUM), RFC 2308 s5. */
  NEGATIVE_TTL: 3,
  INDEX_MASK: 4,
  /** 0: the block is not a zone but a name above zones, and ends behind its name. */
  INDEX_OFFSET: 5,
  APEX_NODE: 6,
  RECORDS: 7,
  /** Slots of the index that are not empty: living nodes, and dead ones of names that are gone. */
  INDEX_IN_USE: 8,
  /** Taken by dead nodes. */
  DEAD_OCTETS: 9,
  /** 0: the zone is not signed. With ORDER_BY_HASH: names are denied by NSEC3. */
  ORDER_OFFSET: 10,
} as const;

export const ZONE_APEX_LENGTH_OFFSET = 44;
export const ZONE_APEX_NAME_OFFSET = 45;

/** In ORDER_OFFSET, whose lowest bits are not needed: orders begin at multiples of four octets. */
export const ORDER_BY_HASH = 0x01;

/** An order, as indices of 32-bit words from its start. */
export const ORDER_WORD = { NAMES: 0, EXPIRATION: 1, ENTRIES: 2 } as const;
/** An entry of it. */
export const ORDER_ENTRY = { PREFIX: 0, NODE: 1, WORDS: 2 } as const;

/** In a zone with NSEC3: octets before each node, and the two words in them, counted from the node. */
export const PROOF_OCTETS = 8;
export const PROOF_WORD = { OWN: -2, WILDCARD: -1 } as const;

export const NODE_OFFSET_BITS = 26;
export const NODE_OFFSET_MASK = (1 << NODE_OFFSET_BITS) - 1;
export const NODE_ALIGN_SHIFT = 3;
/** 26 bits of offset / 8. */
export const MAX_ZONE_OCTETS = 2 ** (NODE_OFFSET_BITS + NODE_ALIGN_SHIFT);

export const NODE_FLAG = {
  /** Owner of NS below the apex: names here and below belong to others (RFC 1034 s4.2.1). */
  CUT: 0x01,
  /** Below a cut, where it is only ever glue, or below a DNAME, where it is not there at all. */
  BELOW_CUT: 0x02,
  /** `*` and this name exist: the source of synthesis for names that do not (RFC 4592 s2.2.1). */
  WILDCARD_CHILD: 0x04,
  /** Owner of DNAME: names below are found by substitution (RFC 6672 s2.3). */
  DNAME: 0x08,
  /** Holds NSEC3 alone: to queries the name does not exist (RFC 5155 s7.2.8). */
  PROOF: 0x10,
} as const;

export const NODE_FLAGS_OFFSET = 0;
export const NODE_RRSETS_OFFSET = 1;
export const NODE_NAME_LENGTH_OFFSET = 2;
export const NODE_NAME_OFFSET = 3;

/** The first octet of a dead node's name, if the index leads to it: no label is so long (RFC 1035 s2.3.4). */
export const DEAD_LABEL = 0xff;

export const RRSET_TYPE_OFFSET = 0;
export const RRSET_RECORDS_OFFSET = 2;
export const RRSET_TTL_OFFSET = 4;
/** In the first octet of the TTL, which has 31 bits (RFC 2181 s8). */
export const RRSET_SIGNED_BIT = 0x80;
export const RRSET_TTL_MASK = 0x7fffffff;
export const RRSET_OCTETS_OFFSET = 8;
export const RRSET_RDATA_OFFSET = 12;
