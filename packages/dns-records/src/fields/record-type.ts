import type { Problem } from '../values/problem.js';

/** Rdata as the platform stores it: the first number of MX and SRV is stored separately, as `priority`. */
export interface Rdata {
  readonly data: string;
  readonly priority: number | null;
}

/** How the rdata of one type is written and read. All functions but `canonical` throw DnsSyntaxError. */
export interface RdataCodec {
  readonly number: number;
  readonly toWire: (data: string, priority: number | null) => Uint8Array;
  readonly fromWire: (wire: Uint8Array) => Rdata;
  /** The form in which equal rdata has equal octets (RFC 4034 s6.2: names in lower case). */
  readonly canonical: (wire: Uint8Array) => Uint8Array;
  /** Indexes of the words of `data` that are domain names. Undefined if the type has its own reader for zone files. */
  readonly nameFields?: readonly number[];
}

/** A record type that users may create: everything its rules need. */
export interface RecordType extends RdataCodec {
  /** Whether `priority` is required; otherwise it is disallowed (DNS API s2). */
  readonly needsPriority: boolean;
  /** Checks `data` for a record in the zone `zoneName` (D-ZONE, data by type). */
  readonly checkData: (data: string, zoneName: string) => Problem[];
  /**
   * The canonical name in the data to which address records or an alias may belong. Null if there is none ("." too: RFC 7505,
   * RFC 2782). The data must have passed `checkData`.
   */
  readonly target: (data: string) => string | null;
}
