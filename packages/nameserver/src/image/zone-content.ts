/** One record as it is in a zone: names uncompressed, in any letter case. */
export interface ZoneRecord {
  readonly owner: Uint8Array;
  readonly type: number;
  readonly ttl: number;
  readonly rdata: Uint8Array;
}

/** All of a zone, in any order; SOA and NS of the apex are among the records. */
export interface ZoneContent {
  readonly apex: Uint8Array;
  readonly serial: number;
  readonly records: Iterable<ZoneRecord>;
}
