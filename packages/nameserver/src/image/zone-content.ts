/** One record as it is in a zone: names uncompressed, in any letter case. */
export interface ZoneRecord {
  readonly owner: Uint8Array;
  readonly type: number;
  readonly ttl: number;
  readonly rdata: Uint8Array;
}

/** All of a zone, in any order; SOA and NS of the apex are among the records, and in a signed zone NSEC and RRSIG. */
export interface ZoneContent {
  readonly apex: Uint8Array;
  readonly serial: number;
  /** Signatures and denial belong to it, and it is refused if they are not complete (check-signatures.ts). */
  readonly isSigned?: boolean | undefined;
  /** It was signed by its primary, whose SOA has a serial of its own. */
  readonly isForeign?: boolean | undefined;
  readonly records: Iterable<ZoneRecord>;
  /** There is nothing to answer with, and no SOA: SERVFAIL, for all names. */
  readonly isWithheld?: boolean;
}
