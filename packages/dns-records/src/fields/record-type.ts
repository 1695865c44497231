import type { Problem } from '../values/problem.js';

/** Rdata as stored: the first number of MX and SRV is stored separately as `priority`. */
export interface Rdata {
  readonly data: string;
  readonly priority: number | null;
}

/** Conversion of the rdata of one type. All functions except `canonical` throw DnsSyntaxError. */
export interface RdataCodec {
  readonly number: number;
  readonly toWire: (data: string, priority: number | null) => Uint8Array;
  readonly fromWire: (wire: Uint8Array) => Rdata;
  /** Returns the form in which equal rdata has equal octets (names in lower case, RFC 4034 s6.2). */
  readonly canonical: (wire: Uint8Array) => Uint8Array;
  /** Indexes of the words of `data` that are domain names. Undefined if the type has its own reader for zone files. */
  readonly nameFields?: readonly number[];
}

/** Record type that users may create, with its rules. */
export interface RecordType extends RdataCodec {
  /** Whether `priority` is required. Otherwise it is not allowed (DNS API s2). */
  readonly needsPriority: boolean;
  /** Checks `data` for a record in the zone `zoneName` (D-ZONE, data by type). */
  readonly checkData: (data: string, zoneName: string) => Problem[];
  /**
   * Returns the canonical name in the data to which address records or an alias may belong. Null if there is none, as
   * for "." (RFC 7505, RFC 2782). The data must have passed `checkData`.
   */
  readonly target: (data: string) => string | null;
}
