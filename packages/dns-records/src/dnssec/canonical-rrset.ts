import { canonicalRdata, hasRdataCodec } from '../rdata/rdata.js';
import { typeMnemonic } from '../types/rr-type.js';

/** Records of one owner and type with one TTL. */
export interface Rrset {
  readonly type: number;
  readonly ttl: number;
  /** Uncompressed wire forms, in any order. */
  readonly rdatas: readonly Uint8Array[];
}

/** The rdata of an RRset as it is signed: canonical, in order, each once (RFC 4034 s6.2, s6.3). */
export function canonicalRdatas({ type, rdatas }: Rrset): Uint8Array[] {
  const mnemonic = typeMnemonic(type);
  // Types that users cannot write have no names that are lowered (RFC 6840 s5.1 takes NSEC out of the list).
  const isAsItIs = !hasRdataCodec(mnemonic);
  const canonical = rdatas.map((rdata) => (isAsItIs ? rdata : canonicalRdata(mnemonic, rdata)));
  if (canonical.length === 1) return canonical;
  const sorted = canonical.sort((a, b) => Buffer.compare(a, b));
  return sorted.filter((rdata, at) => {
    const before = sorted[at - 1];
    return before === undefined || Buffer.compare(rdata, before) !== 0;
  });
}
