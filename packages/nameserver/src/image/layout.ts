/**
 * The zone image: all zones of this server in one SharedArrayBuffer. The main thread writes it (image-writer.ts). The
 * main thread and any number of UDP workers read it (image-reader.ts), without locks.
 *
 *   image                 header | directory | zone block | (free) | zone block | ...  | never used
 *                         Blocks start at multiples of 64 octets, a cache line. That multiple is their *unit*,
 *                         which identifies them.
 *
 *   header                magic, version, state, unit of the directory, epoch, counters, an epoch for each reader
 *
 *   directory             [octets][mask][in use][0] slot slot slot ...
 *                         Open addressing by the hash of the zone's name. A slot has 5 bits of the hash and 27 of the
 *                         zone's unit, so that most wrong slots are skipped without reading another cache line.
 *                         Names above zones also have slots, even if they are not zones (names-above-zones.ts).
 *
 *   zone block            header, apex name | node node (dead node) node ... | index | order (signed zones only)
 *                         Never changed once a directory slot refers to it. Offsets in it count from its start.
 *     node                [flags 1][RRsets 1][name octets 1][name, lower case, without the apex] RRset RRset ...
 *     RRset               [type 2][records 2][signed 1 bit, TTL 31][octets that follow 4] then for each record
 *                         [octets 2][rdata]. The RRSIG of a signed RRset are a separate RRset directly after it.
 *     index               Open addressing by the hash of the owner name. An entry has 6 bits of the hash and 26 of the
 *                         node's offset / 8.
 *     order               [names][time at which the first signature expires]. Then for each node with NSEC: [prefix of
 *                         its key][its offset]. They are in the canonical order of their names (RFC 4034 s6.1), the
 *                         apex first. In a zone with NSEC3 (RFC 5155), for each node with NSEC3: [prefix of its hash]
 *                         [its offset]. They are in the order of the hashes. Then [offset of the NSEC3PARAM rdata].
 *                         Before each node of such a zone: [its NSEC3][the NSEC3 that denies its wildcard], as offsets
 *                         of nodes (zone-proofs.ts).
 *
 * A change writes a new block beside the old one and stores its unit in the directory slot. This is one 32-bit store,
 * so a reader sees either the old or the new zone. The old block is reused when every reader has passed a quiescent
 * point (epochs.ts). Numbers in nodes are big-endian, as in messages; 32-bit words elsewhere are the machine's.
 *
 * The new block of a large zone is a patched copy of the old one (patch-zone.ts), or an updated copy of the block
 * before that. The new nodes come after the others, the index refers to them, and the nodes that they replace are dead.
 * A node of a removed name keeps its slot in the index, under a name that nobody can query: a label of DEAD_LABEL
 * octets.
 *
 * An A record with its own name, a label of 8 octets, takes 32 octets in its node and 5 to 11 in the index.
 */

/** "ZWI7"; the last character is the version of the format. An image with another layout must not be read. */
export const IMAGE_MAGIC = 0x5a574937;

export const UNIT_OCTETS = 64;
const WORD_OCTETS = 4;
const UNIT_WORDS = UNIT_OCTETS / WORD_OCTETS;

/*
 * Offsets in the image may be 2^31 and more, so they are multiplied and divided: shifts would treat them as signed
 * 32-bit numbers. While an image is smaller, V8 compiles these operations to shifts. Indices of words stay below 2^31
 * (MAX_IMAGE_OCTETS).
 */

export function offsetOfUnit(unit: number): number {
  return unit * UNIT_OCTETS;
}

export function unitOfOffset(offset: number): number {
  return offset / UNIT_OCTETS;
}

/** Returns the position in `words` of the first word of a unit. */
export function wordOfUnit(unit: number): number {
  return unit * UNIT_WORDS;
}

/** Returns the position in `words` of the word at an offset. */
export function wordOfOffset(offset: number): number {
  return offset / WORD_OCTETS;
}

/** Header of the image, as positions of 32-bit words. */
export const IMAGE_WORD = {
  MAGIC: 0,
  STATE: 1,
  DIRECTORY_UNIT: 2,
  EPOCH: 3,
  ZONES: 4,
  RECORDS: 5,
  /** First unit that no block has ever used. The pages after it are untouched. */
  HIGH_WATER_UNIT: 6,
  READER_EPOCHS: 16,
} as const;

export const MAX_READERS = 64;
/** Reader that writes a snapshot (image-capture.ts); the others are UDP workers. */
export const SNAPSHOT_READER = MAX_READERS - 1;
export const MAX_WORKERS = MAX_READERS - 1;
export const IMAGE_HEADER_OCTETS = (IMAGE_WORD.READER_EPOCHS + MAX_READERS) * 4;

/** State of the image. The writer sets it, and answers depend on it. */
export const IMAGE_STATE = {
  /** Zones are still being loaded, so a missing name may belong to this server. */
  LOADING: 0,
  CURRENT: 1,
  /** The database has been unreachable for so long that answers may be outdated. */
  STALE: 2,
} as const;

export type ImageState = (typeof IMAGE_STATE)[keyof typeof IMAGE_STATE];

/** Directory, as positions of 32-bit words from its start. */
export const DIRECTORY_WORD = { OCTETS: 0, MASK: 1, IN_USE: 2, SLOTS: 4 } as const;

export const DIRECTORY_UNIT_BITS = 27;
export const DIRECTORY_UNIT_MASK = (1 << DIRECTORY_UNIT_BITS) - 1;
/** Maximum size of an image, 8 GiB. */
export const MAX_IMAGE_OCTETS = 2 ** DIRECTORY_UNIT_BITS * UNIT_OCTETS;
/** Slot values that do not refer to a zone: no zone begins in the header of the image. */
export const EMPTY_SLOT = 0;
export const REMOVED_SLOT = 1;

/** Header of a zone block, as positions of 32-bit words from its start. */
export const ZONE_WORD = {
  OCTETS: 0,
  APEX_HASH: 1,
  SERIAL: 2,
  /** Minimum of the SOA record's TTL and its MINIMUM field (RFC 2308 s5). */
  NEGATIVE_TTL: 3,
  INDEX_MASK: 4,
  /** 0 if the block is a name above zones, not a zone. It then ends after its name. */
  INDEX_OFFSET: 5,
  APEX_NODE: 6,
  RECORDS: 7,
  /** Number of occupied slots in the index: live nodes, and dead ones of removed names. */
  INDEX_IN_USE: 8,
  /** Size of dead nodes. */
  DEAD_OCTETS: 9,
  /** 0 if the zone is not signed. With ORDER_BY_HASH the zone uses NSEC3. */
  ORDER_OFFSET: 10,
} as const;

export const ZONE_APEX_LENGTH_OFFSET = 44;
export const ZONE_APEX_NAME_OFFSET = 45;

/** Flag in ORDER_OFFSET, whose lowest bits are free, since orders start at multiples of four octets. */
export const ORDER_BY_HASH = 0x01;

/** Order, as positions of 32-bit words from its start. */
export const ORDER_WORD = { NAMES: 0, EXPIRATION: 1, ENTRIES: 2 } as const;
/** Entry of an order, which lists the nodes of a zone in canonical order. */
export const ORDER_ENTRY = { PREFIX: 0, NODE: 1, WORDS: 2 } as const;

/** Octets before each node of a zone with NSEC3, and the positions of the two words in them, relative to the node. */
export const PROOF_OCTETS = 8;
export const PROOF_WORD = { OWN: -2, WILDCARD: -1 } as const;

export const NODE_OFFSET_BITS = 26;
export const NODE_OFFSET_MASK = (1 << NODE_OFFSET_BITS) - 1;
export const NODE_ALIGN_SHIFT = 3;
/** Maximum size of a zone block: 26 bits of offset / 8. */
export const MAX_ZONE_OCTETS = 2 ** (NODE_OFFSET_BITS + NODE_ALIGN_SHIFT);

export const NODE_FLAG = {
  /** Owner of NS below the apex: the name and those below it are delegated (RFC 1034 s4.2.1). */
  CUT: 0x01,
  /** Below a cut, where data is glue, or below a DNAME, where data is hidden. */
  BELOW_CUT: 0x02,
  /** The wildcard `*` below this name exists: the source of synthesis for missing names (RFC 4592 s2.2.1). */
  WILDCARD_CHILD: 0x04,
  /** Owner of DNAME: names below are found by substitution (RFC 6672 s2.3). */
  DNAME: 0x08,
  /** Holds only NSEC3: for queries the name does not exist (RFC 5155 s7.2.8). */
  PROOF: 0x10,
} as const;

export const NODE_FLAGS_OFFSET = 0;
export const NODE_RRSETS_OFFSET = 1;
export const NODE_NAME_LENGTH_OFFSET = 2;
export const NODE_NAME_OFFSET = 3;

/** First octet of a dead node's name if the index refers to it; no label is that long (RFC 1035 s2.3.4). */
export const DEAD_LABEL = 0xff;

export const RRSET_TYPE_OFFSET = 0;
export const RRSET_RECORDS_OFFSET = 2;
export const RRSET_TTL_OFFSET = 4;
/** Flag in the first octet of the TTL, which has 31 bits (RFC 2181 s8). */
export const RRSET_SIGNED_BIT = 0x80;
export const RRSET_TTL_MASK = 0x7fffffff;
export const RRSET_OCTETS_OFFSET = 8;
export const RRSET_RDATA_OFFSET = 12;
