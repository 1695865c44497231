import { createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import type { OctetsToSign } from './rrsig.js';

/** Algorithms for signing zones (RFC 9904): ECDSA P-256 with SHA-256, and Ed25519. */
export const SIGNING_ALGORITHMS = { ecdsaP256: 13, ed25519: 15 } as const;
export type SigningAlgorithm = (typeof SIGNING_ALGORITHMS)[keyof typeof SIGNING_ALGORITHMS];

interface Scheme {
  readonly generate: () => { privateKey: KeyObject; publicKey: KeyObject };
  readonly hash: string | null;
  readonly toOctets: (key: KeyObject) => Buffer;
  readonly fromOctets: (octets: Buffer) => KeyObject;
  readonly publicKeyOctets: number;
}

/** Encoding of the signature in Node.js that RFC 6605 requires: r followed by s, not DER. */
const DSA_ENCODING = 'ieee-p1363';
const COORDINATE_OCTETS = 32;

const SCHEMES: Readonly<Record<SigningAlgorithm, Scheme>> = {
  13: {
    generate: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    hash: 'sha256',
    toOctets: (key) => {
      const { x, y } = key.export({ format: 'jwk' });
      return Buffer.concat([fromBase64(x), fromBase64(y)]);
    },
    fromOctets: (octets) =>
      fromJwk({
        kty: 'EC',
        crv: 'P-256',
        x: octets.toString('base64url', 0, COORDINATE_OCTETS),
        y: octets.toString('base64url', COORDINATE_OCTETS),
      }),
    publicKeyOctets: 2 * COORDINATE_OCTETS,
  },
  15: {
    generate: () => generateKeyPairSync('ed25519'),
    hash: null,
    toOctets: (key) => fromBase64(key.export({ format: 'jwk' }).x),
    fromOctets: (octets) =>
      fromJwk({ kty: 'OKP', crv: 'Ed25519', x: octets.toString('base64url') }),
    publicKeyOctets: 32,
  },
};

/** Generates a key: the private key, and the public key in the form of DNSKEY. */
export function generateSigningKey(algorithm: SigningAlgorithm): {
  privateKey: KeyObject;
  publicKey: Buffer;
} {
  const { generate, toOctets } = SCHEMES[algorithm];
  const { privateKey, publicKey } = generate();
  return { privateKey, publicKey: toOctets(publicKey) };
}

export function isSigningAlgorithm(value: unknown): value is SigningAlgorithm {
  return value === SIGNING_ALGORITHMS.ecdsaP256 || value === SIGNING_ALGORITHMS.ed25519;
}

/** Whether data is a public key in the form of DNSKEY. For P-256, it must be a point of the curve. */
export function isPublicKey(algorithm: SigningAlgorithm, octets: Uint8Array): boolean {
  const { fromOctets, publicKeyOctets } = SCHEMES[algorithm];
  if (octets.length !== publicKeyOctets) return false;
  try {
    fromOctets(Buffer.from(octets));
    return true;
  } catch {
    return false;
  }
}

/** Returns the signature in the form of RRSIG: 64 octets. */
export function signOctets(
  algorithm: SigningAlgorithm,
  privateKey: KeyObject,
  octets: OctetsToSign,
): Uint8Array {
  return sign(SCHEMES[algorithm].hash, octets, { key: privateKey, dsaEncoding: DSA_ENCODING });
}

/**
 * Does the same as signOctets in another thread, so that the event loop is not blocked. It pays off only for many
 * signatures, since the transfer to the thread takes as long as one.
 */
export async function signOctetsAside(
  algorithm: SigningAlgorithm,
  privateKey: KeyObject,
  octets: OctetsToSign,
): Promise<Uint8Array> {
  const options = { key: privateKey, dsaEncoding: DSA_ENCODING } as const;
  return await new Promise((resolve, reject) => {
    sign(SCHEMES[algorithm].hash, octets, options, (error, signature) => {
      if (error === null) resolve(signature);
      else reject(error);
    });
  });
}

/** Whether the signature is that of the key. `publicKey` has the form of DNSKEY. */
export function verifyOctets(
  algorithm: SigningAlgorithm,
  publicKey: Uint8Array,
  octets: OctetsToSign,
  signature: Uint8Array,
): boolean {
  const key = publicKeyOf(algorithm, Buffer.from(publicKey));
  return verify(SCHEMES[algorithm].hash, octets, { key, dsaEncoding: DSA_ENCODING }, signature);
}

/** Does the same as verifyOctets in another thread. */
export async function verifyOctetsAside(
  algorithm: SigningAlgorithm,
  publicKey: Uint8Array,
  octets: OctetsToSign,
  signature: Uint8Array,
): Promise<boolean> {
  const key = publicKeyOf(algorithm, Buffer.from(publicKey));
  const options = { key, dsaEncoding: DSA_ENCODING } as const;
  return await new Promise((resolve) => {
    verify(SCHEMES[algorithm].hash, octets, options, signature, (error, isTrue) => {
      resolve(error === null && isTrue);
    });
  });
}

/** Cache of keys by algorithm and public key: creating one takes as long as a verification. */
const publicKeys = new Map<string, KeyObject>();
const MAX_PUBLIC_KEYS = 100;

function publicKeyOf(algorithm: SigningAlgorithm, octets: Buffer): KeyObject {
  const name = `${algorithm} ${octets.toString('base64')}`;
  const known = publicKeys.get(name);
  if (known !== undefined) return known;
  const made = SCHEMES[algorithm].fromOctets(octets);
  if (publicKeys.size === MAX_PUBLIC_KEYS) publicKeys.clear();
  publicKeys.set(name, made);
  return made;
}

function fromJwk(key: Record<string, string>): KeyObject {
  return createPublicKey({ format: 'jwk', key });
}

function fromBase64(text: string | undefined): Buffer {
  return Buffer.from(text ?? '', 'base64url');
}
