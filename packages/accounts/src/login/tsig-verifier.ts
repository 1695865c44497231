import { randomBytes } from 'node:crypto';
import {
  type Database,
  type Keyring,
  type SealedSecret,
  secretIdentity,
} from '@zonewright/database';
import {
  checkRequest,
  MessageSyntaxError,
  readMessage,
  type Tsig,
  TSIG_ALGORITHMS,
  type TsigFault,
  type TsigKey,
  wireToName,
} from '@zonewright/dns-records';
import type { Clock } from '@zonewright/service-kit';
import {
  type AccessKeyWithOwner,
  KEY_WITH_OWNER,
  readKeyWithOwner,
} from '../access-keys/access-key-store.js';
import { type AccessKey, isUsable, openAccessKeySecret } from '../access-keys/access-key.js';
import { invalidRequest } from '../shared/problems.js';

interface VerifierDependencies {
  readonly db: Database;
  readonly keyring: Keyring;
  readonly clock: Clock;
}

/** Result of checking the TSIG of a message. */
interface TsigVerification {
  /** Undefined if the TSIG is correct. */
  readonly fault: TsigFault | undefined;
  /** Key that signs the answer. Undefined if the answer is not signed. */
  readonly signingKey: TsigKey | undefined;
  /** Access key with its owner and the requested tenant. */
  readonly found: AccessKeyWithOwner | undefined;
}

/** Reads a key by its id in lower case. */
type FindTsigKey = (
  name: string,
  tenantId: string | undefined,
) => Promise<AccessKeyWithOwner | undefined>;

/** Contains a blank, so it cannot be the id of an access key. */
const DECOY_KEY_ID = 'no key';
/** Format of an access key's id as a DNS name with one label. */
const KEY_NAME = /^[a-z0-9-]{1,63}\.$/;
const SECRET = /^[A-Za-z0-9+/]+={0,2}$/;
/** Minimum length: shorter secrets are too easy to guess (RFC 2104 s3). */
const MIN_SECRET_OCTETS = 8;
const ALGORITHM = /^HmacSHA(\d{1,3})$/;

/**
 * Checks the TSIG of messages (RFC 8945) by access keys. The TSIG key has the id of an access key as its name, and the
 * decoded base64 of the secret key as its secret. Its algorithm is that of the access key. Checks of known and unknown
 * keys take the same time.
 */
export class TsigVerifier {
  readonly #dependencies: VerifierDependencies;
  readonly #decoySecret: SealedSecret;
  readonly #opened = new WeakMap<AccessKeyWithOwner, { readonly key: TsigKey | undefined }>();

  constructor(dependencies: VerifierDependencies) {
    this.#dependencies = dependencies;
    const identity = secretIdentity.accessKey(DECOY_KEY_ID);
    const secret = Buffer.from(randomBytes(30).toString('base64'));
    this.#decoySecret = dependencies.keyring.seal(secret, identity);
  }

  /** Finds keys for a batch of messages. Each key is read once for the batch, and not cached. */
  lookUp(): FindTsigKey {
    const found = new Map<string, ReturnType<FindTsigKey>>();
    return async (name, tenantId) => {
      const place = `${name} ${tenantId ?? ''}`;
      const known = found.get(place) ?? findAccessKeyOfTsig(this.#dependencies.db, name, tenantId);
      found.set(place, known);
      return await known;
    };
  }

  /** Reads the tenant together with the key, even if the MAC is wrong. */
  async verify(
    { octets, tsig }: SignedRequest,
    tenantId: string | undefined,
    find = this.lookUp(),
  ): Promise<TsigVerification> {
    const { clock } = this.#dependencies;
    const name = wireToName(tsig.keyName);
    const found = await find(KEY_NAME.test(name) ? name.slice(0, -1) : DECOY_KEY_ID, tenantId);
    const key = this.#keyOf(name, found);
    const fault = checkRequest(octets, tsig, key, clock.now() / 1_000);
    if (found === undefined || !isUsable(found.key, new Date(clock.now()))) {
      return { fault: 'BADKEY', signingKey: undefined, found: undefined };
    }
    const isSigner = fault === undefined || fault === 'BADTIME';
    return { fault, signingKey: isSigner ? key : undefined, found: isSigner ? found : undefined };
  }

  /** Decrypts the secret of a key once while the key is in memory. */
  #keyOf(name: string, found: AccessKeyWithOwner | undefined): TsigKey | undefined {
    if (found === undefined) return this.#toTsigKey(name, undefined);
    const opened = this.#opened.get(found) ?? { key: this.#toTsigKey(name, found.key) };
    this.#opened.set(found, opened);
    return opened.key;
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

/** Imported keys may have other algorithms, which TSIG does not support. */
function algorithmOf(key: AccessKey | undefined) {
  const bits = ALGORITHM.exec(key?.algorithm ?? 'HmacSHA256')?.[1];
  return TSIG_ALGORITHMS.find((algorithm) => algorithm === `hmac-sha${bits}`);
}

/** Message with its TSIG. */
export interface SignedRequest {
  readonly octets: Uint8Array;
  readonly tsig: Tsig;
}

/** @throws ServiceError invalid */
export function readSignedRequest(octets: Uint8Array): SignedRequest {
  try {
    const { tsig } = readMessage(octets);
    if (tsig !== undefined) return { octets, tsig };
  } catch (error) {
    if (!(error instanceof MessageSyntaxError)) throw error;
  }
  throw invalidRequest('the message must be a DNS message with a TSIG record');
}

/** Query for ids in any letter case. Ids that differ only in case are ambiguous. */
const FIND_OF_TSIG = {
  name: 'find-access-key-of-tsig',
  text: `${KEY_WITH_OWNER}
     where keys.id = (select min(named.id) from identity.access_keys as named
                       where lower(named.id) = $2 and named.status = 'active' having count(*) = 1)`,
};

/**
 * Finds the only active access key with this id in any letter case, with its owner and a tenant. Returns undefined if
 * there is none, or more than one.
 */
async function findAccessKeyOfTsig(
  db: Database,
  lowerId: string,
  tenantId: string | undefined,
): Promise<AccessKeyWithOwner | undefined> {
  return await readKeyWithOwner(db, FIND_OF_TSIG, [tenantId ?? null, lowerId]);
}
