import { nameToWire } from '@zonewright/dns-records';
import { DIGEST_TYPES, dsToWire, type PublicKey } from '@zonewright/dns-records/dnssec';
import { finding, type Finding } from './finding.js';

/** DS record, with its digest in hexadecimal. */
interface DsRecord {
  readonly keyTag: number;
  readonly algorithm: number;
  readonly digestType: number;
  readonly digest: string;
}

/** Record at the apex; its primaries also write types that users cannot. */
interface ApexRecord {
  readonly type: string;
  readonly rdata: Uint8Array;
}

/** Checks that the parent's DS records match the keys with which the primaries sign a secondary zone. */
export function judgeDsOfSecondary(
  name: string,
  apex: readonly ApexRecord[],
  shown: readonly DsRecord[],
): Finding[] {
  const keys = apex.flatMap(({ type, rdata }) => (type === 'DNSKEY' ? [readDnskey(rdata)] : []));
  if (keys.length === 0) {
    if (shown.length === 0) return [];
    const message = `The parent zone has a DS record for ${name}, but the domain is not signed at its primaries: validating resolvers cannot resolve it.`;
    const action =
      'Sign the domain at its primaries with the key of the DS record, or remove the DS record at your registrar.';
    return [finding('error', 'ds-at-parent', message, action)];
  }
  const isEntry = ({ flags }: PublicKey) => (flags & SECURE_ENTRY_POINT) !== 0;
  const entries = keys.some(isEntry) ? keys.filter(isEntry) : keys;
  const wanted = entries.map((key) => toDs(name, key, DIGEST_TYPES.sha256));
  const listed = wanted.map((ds) => `${ds.keyTag} ${ds.algorithm} ${ds.digestType} ${ds.digest}`);
  const action = `At your registrar, set the DS record of ${name} to: ${listed.join(', ')}`;
  if (shown.length === 0) {
    const message =
      'The domain is signed, but the parent zone has no DS record: resolvers do not validate it.';
    return [finding('warning', 'ds-missing', message, action)];
  }
  if (shown.some((ds) => keys.some((key) => isDsOf(name, key, ds)))) return [];
  const message = `The DS record in the parent zone matches no key of ${name}: validating resolvers cannot resolve the domain.`;
  return [finding('error', 'ds-wrong', message, action)];
}

/** Flag of keys to which a DS refers (RFC 4034 s2.1.1). */
const SECURE_ENTRY_POINT = 1;

function readDnskey(rdata: Uint8Array): PublicKey {
  const [high = 0, low = 0, , algorithm = 0] = rdata;
  return { flags: (high << 8) | low, algorithm, publicKey: rdata.subarray(4) };
}

function toDs(
  name: string,
  key: PublicKey,
  digestType: (typeof DIGEST_TYPES)[keyof typeof DIGEST_TYPES],
): DsRecord {
  const rdata = Buffer.from(dsToWire(nameToWire(name), key, digestType));
  const digest = rdata.subarray(4).toString('hex');
  return { keyTag: rdata.readUInt16BE(0), algorithm: key.algorithm, digestType, digest };
}

/** Digests of other types are not computed: the key tag and the algorithm must suffice. */
function isDsOf(name: string, key: PublicKey, shown: DsRecord): boolean {
  const { sha256, sha384 } = DIGEST_TYPES;
  const digestType = shown.digestType === sha384 ? sha384 : sha256;
  const own = toDs(name, key, digestType);
  if (own.keyTag !== shown.keyTag || own.algorithm !== shown.algorithm) return false;
  return shown.digestType !== digestType || shown.digest.toLowerCase() === own.digest;
}
