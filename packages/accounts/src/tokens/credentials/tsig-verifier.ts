import {
  type Database,
  type Keyring,
  type SealedSecret,
  secretIdentity,
} from '@zonewright/database';
import {
  checkRequest,
  TSIG_ALGORITHMS,
  type TsigFault,
  type TsigKey,
  wireToName,
} from '@zonewright/dns-records';
import type { Clock } from '@zonewright/service-kit';
import { randomBytes } from 'node:crypto';
import { type AccessKey, isUsable } from '../../access-keys/access-key.js';
import {
  type AccessKeyWithOwner,
  findAccessKeyWithOwner,
} from '../../access-keys/access-key-store.js';
import { openAccessKeySecret } from '../../access-keys/access-key-secret.js';
import type { SignedRequest } from './signed-request.js';
import { findAccessKeyIdOfTsig } from './tsig-name-store.js';

interface VerifierDependencies {
  readonly db: Database;
  readonly keyring: Keyring;
  readonly clock: Clock;
}

/** What was found out about the TSIG of a message. */
export interface TsigVerification {
  /** Undefined: it is right. */
  readonly fault: TsigFault | undefined;
  /** By which the answer is signed; undefined: by none. */
  readonly signingKey: TsigKey | undefined;
  /** The access key, with its owner and the tenant that was asked for. */
  readonly found: AccessKeyWithOwner | undefined;
}

/** No access key has this id: it holds a blank. */
const DECOY_KEY_ID = 'no key';
/** The id of an access key as a name of one label. */
const KEY_NAME = /^[a-z0-9-]{1,63}\.$/;
const SECRET = /^[A-Za-z0-9+/]+={0,2}$/;
/** RFC 2104 s3: shorter ones than that are too easily found. */
const MIN_SECRET_OCTETS = 8;
const ALGORITHM = /^HmacSHA(\d{1,3})$/;

/**
 * Checks the TSIG of messages (RFC 8945) by access keys: the key's name is the id of an access key, its secret the octets that
 * the secret key stands for in base64, its algorithm the one that the key was made for. An unknown key costs what a known
 * one does.
 */
export class TsigVerifier {
  readonly #dependencies: VerifierDependencies;
  readonly #decoySecret: SealedSecret;

  constructor(dependencies: VerifierDependencies) {
    this.#dependencies = dependencies;
    const identity = secretIdentity.accessKey(DECOY_KEY_ID);
    const secret = Buffer.from(randomBytes(30).toString('base64'));
    this.#decoySecret = dependencies.keyring.seal(secret, identity);
  }

  /** The tenant is read beside the key, whether the MAC is right or not. */
  async verify(
    { octets, tsig }: SignedRequest,
    tenantId: string | undefined,
  ): Promise<TsigVerification> {
    const { db, clock } = this.#dependencies;
    const name = wireToName(tsig.keyName);
    const id = KEY_NAME.test(name) ? await findAccessKeyIdOfTsig(db, name.slice(0, -1)) : undefined;
    const found = await findAccessKeyWithOwner(db, id ?? DECOY_KEY_ID, tenantId);
    const key = this.#toTsigKey(name, found?.key);
    const fault = checkRequest(octets, tsig, key, clock.now() / 1_000);
    if (found === undefined || !isUsable(found.key, new Date(clock.now()))) {
      return { fault: 'BADKEY', signingKey: undefined, found: undefined };
    }
    const isSigner = fault === undefined || fault === 'BADTIME';
    return { fault, signingKey: isSigner ? key : undefined, found: isSigner ? found : undefined };
  }

  #toTsigKey(name: string, key: AccessKey | undefined): TsigKey | undefined {
    const { keyring } = this.#dependencies;
    const opened =
      key?.secret === undefined
        ? keyring.open(this.#decoySecret, secretIdentity.accessKey(DECOY_KEY_ID))
        : openAccessKeySecret(keyring, key);
    const text = opened?.toString() ?? '';
    const secret = Buffer.from(text, 'base64');
    const algorithm = algorithmOf(key);
    if (!SECRET.test(text) || secret.length < MIN_SECRET_OCTETS) return undefined;
    return algorithm && { name, algorithm, secret };
  }
}

/** Keys that were imported may have others, with which nothing is signed here. */
function algorithmOf(key: AccessKey | undefined) {
  const bits = ALGORITHM.exec(key?.algorithm ?? 'HmacSHA256')?.[1];
  return TSIG_ALGORITHMS.find((algorithm) => algorithm === `hmac-sha${bits}`);
}
