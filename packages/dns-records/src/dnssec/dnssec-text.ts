import { rdataFromWire } from '../rdata/rdata.js';
import { typeMnemonic } from '../values/rr-type.js';
import { wireToName } from '../wire/wire-to-name.js';
import {
  bitmapToTypes,
  nsec3FromWire,
  type Nsec3Parameters,
  nsec3ParametersFromWire,
  nsecFromWire,
} from './nsec.js';
import { rrsigFromWire } from './rrsig.js';

/** Types whose rdata the signer writes, with their presentation formats. */
const WRITERS: Readonly<Record<string, (wire: Uint8Array) => string | undefined>> = {
  RRSIG: rrsigText,
  NSEC: (wire) => {
    const { next, types } = nsecFromWire(wire);
    return [wireToName(next), ...types.map(typeMnemonic)].join(' ');
  },
  NSEC3: nsec3Text,
  NSEC3PARAM: (wire) => parametersText(nsec3ParametersFromWire(wire)),
  DNSKEY: keyText,
  CDNSKEY: keyText,
  CDS: (wire) => rdataFromWire('DS', wire).data,
};

/**
 * Returns rdata of DNSSEC in presentation format (RFC 4034, RFC 5155). Undefined for other types and truncated rdata.
 *
 * @throws NameSyntaxError
 */
export function dnssecText(type: string, rdata: Uint8Array): string | undefined {
  return WRITERS[type]?.(rdata);
}

/** RFC 4034 s2.2. */
function keyText(wire: Uint8Array): string {
  const [high = 0, low = 0, protocol = 0, algorithm = 0] = wire;
  return `${high * 256 + low} ${protocol} ${algorithm} ${toBase64(wire.subarray(4))}`;
}

function toBase64(octets: Uint8Array): string {
  return Buffer.from(octets).toString('base64');
}

/** RFC 4034 s3.2. */
function rrsigText(wire: Uint8Array): string {
  const { typeCovered, algorithm, labels, originalTtl, expiration, inception, ...rest } =
    rrsigFromWire(wire);
  return [
    ...[typeMnemonic(typeCovered), algorithm, labels, originalTtl],
    ...[timeText(expiration), timeText(inception), rest.keyTag],
    ...[wireToName(rest.signerName), toBase64(rest.signature)],
  ].join(' ');
}

/** YYYYMMDDHHmmSS in UTC. */
function timeText(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().slice(0, 19).replaceAll(/\D/g, '');
}

/** RFC 5155 s3.3. */
function nsec3Text(wire: Uint8Array): string | undefined {
  const nsec3 = nsec3FromWire(wire);
  if (nsec3 === undefined) return undefined;
  const { salt, nextHash } = nsec3;
  const types = bitmapToTypes(wire.subarray(6 + salt.length + nextHash.length));
  return [parametersText(nsec3), base32Hex(nextHash), ...types.map(typeMnemonic)].join(' ');
}

/** RFC 5155 s4.3. */
function parametersText(parameters: Nsec3Parameters | undefined): string | undefined {
  if (parameters === undefined) return undefined;
  const { algorithm, flags, iterations, salt } = parameters;
  return `${algorithm} ${flags} ${iterations} ${Buffer.from(salt).toString('hex') || '-'}`;
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUV';

/** Base32hex without padding (RFC 4648 s7). */
function base32Hex(octets: Uint8Array): string {
  const bits = [...octets].map((octet) => octet.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => DIGITS[Number.parseInt(five.padEnd(5, '0'), 2)] ?? '')
    .join('');
}
