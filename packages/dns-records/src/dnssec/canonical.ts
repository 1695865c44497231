import { canonicalRdata, hasRdataCodec } from '../rdata/rdata.js';
import { typeMnemonic } from '../values/rr-type.js';

/**
 * Name below an apex in a form that sorts in canonical order (RFC 4034 s6.1), octet by octet. It contains the labels
 * from right to left, in lower case, each followed by 0x00. 0x00 and 0x01 within a label become 0x01 0x01 and 0x01
 * 0x02. The key of the apex is ''. The names at or below a name form a range. Each octet is one character (latin1), so
 * that `<` compares octets.
 */
export type CanonicalKey = string;

const LABEL_END = '\x00';

/**
 * Returns the key of a name. Both names are in uncompressed wire form, in any letter case. The name must be at or below
 * the apex.
 */
export function canonicalKey(name: Uint8Array, apex: Uint8Array): CanonicalKey {
  const labels: string[] = [];
  for (let at = 0; at < name.length - apex.length; at += 1 + name[at]!) {
    const label = name.subarray(at + 1, at + 1 + name[at]!);
    labels.push(
      escapeLabel(
        Buffer.from(label)
          .toString('latin1')
          .replace(/[A-Z]+/g, lowerCase),
      ),
    );
  }
  return labels.reverse().join('');
}

/** Returns the name of a key, in lower case. */
export function nameOfKey(key: CanonicalKey, apex: Uint8Array): Uint8Array {
  const labels = key
    .split(LABEL_END)
    .slice(0, -1)
    .map((label) => label.replace(ESCAPED, (_, octet) => (octet === '\x01' ? '\x00' : '\x01')));
  const octets = labels.reverse().map((label) => String.fromCharCode(label.length) + label);
  return Buffer.concat([Buffer.from(octets.join(''), 'latin1'), apex]);
}

/** Returns the lowest key above all names at or below the name of this key, which must not be the apex. */
export function endOfSubtree(key: CanonicalKey): CanonicalKey {
  return `${key.slice(0, -1)}\x01`;
}

// eslint-disable-next-line no-control-regex -- octets of labels
const TO_ESCAPE = /[\x00\x01]/g;
// eslint-disable-next-line no-control-regex -- octets of labels
const ESCAPED = /\x01([\x01\x02])/g;

function escapeLabel(label: string): string {
  return (
    label.replace(TO_ESCAPE, (octet) => (octet === '\x00' ? '\x01\x01' : '\x01\x02')) + LABEL_END
  );
}

function lowerCase(text: string): string {
  return text.toLowerCase();
}

/** Records of one owner and type with one TTL. */
export interface Rrset {
  readonly type: number;
  readonly ttl: number;
  /** Uncompressed wire forms in any order. */
  readonly rdatas: readonly Uint8Array[];
}

/**
 * Returns the rdata of an RRset in the form that is signed: canonical, sorted, without duplicates (RFC 4034 s6.2,
 * s6.3).
 */
export function canonicalRdatas({ type, rdatas }: Rrset): Uint8Array[] {
  const mnemonic = typeMnemonic(type);
  // Types that users cannot write have no names that become lower case (RFC 6840 s5.1 removes NSEC from the list).
  const isAsItIs = !hasRdataCodec(mnemonic);
  const canonical = rdatas.map((rdata) => (isAsItIs ? rdata : canonicalRdata(mnemonic, rdata)));
  if (canonical.length === 1) return canonical;
  const sorted = canonical.sort((a, b) => Buffer.compare(a, b));
  return sorted.filter((rdata, at) => {
    const before = sorted[at - 1];
    return before === undefined || Buffer.compare(rdata, before) !== 0;
  });
}
