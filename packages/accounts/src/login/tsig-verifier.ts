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

/** What was found out about the TSIG of a message. */
interface TsigVerification {
  /** Undefined: it is right. */
  readonly fault: TsigFault | undefined;
  /** By which the answer is signed; undefined: by none. */
  readonly signingKey: TsigKey | undefined;
  /** The access key, with its owner and the tenant that was asked for. */
  readonly found: AccessKeyWithOwner | undefined;
}

/** Reads a key by its id in lower case. */
type FindTsigKey = (
  name: string,
  tenantId: string | undefined,
) => Promise<AccessKeyWithOwner | undefined>;

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
  readonly #opened = new WeakMap<AccessKeyWithOwner, { readonly key: TsigKey | undefined }>();

  constructor(dependencies: VerifierDependencies) {
    this.#dependencies = dependencies;
    const identity = secretIdentity.accessKey(DECOY_KEY_ID);
    const secret = Buffer.from(randomBytes(30).toString('base64'));
    this.#decoySecret = dependencies.keyring.seal(secret, identity);
  }

  /** Finds keys for messages that came together: each is read once for all of them, and not kept. */
  lookUp(): FindTsigKey {
    const found = new Map<string, ReturnType<FindTsigKey>>();
    return async (name, tenantId) => {
      const place = `${name} ${tenantId ?? ''}`;
      const known = found.get(place) ?? findAccessKeyOfTsig(this.#dependencies.db, name, tenantId);
      found.set(place, known);
      return await known;
    };
  }

  /** The tenant is read beside the key, whether the MAC is right or not. */
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

  /** The secret of a key that was found is opened once, for as long as somebody has it. */
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

/** Keys that were imported may have others, with which nothing is signed here. */
function algorithmOf(key: AccessKey | undefined) {
  const bits = ALGORITHM.exec(key?.algorithm ?? 'HmacSHA256')?.[1];
  return TSIG_ALGORITHMS.find((algorithm) => algorithm === `hmac-sha${bits}`);
}

/** A message with its TSIG. */
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
  throw invalidRequest('the message must be one of DNS with a TSIG');
}

/** Of ids that differ in their letter case alone none can be meant. */
const FIND_OF_TSIG = {
  name: 'find-access-key-of-tsig',
  text: `${KEY_WITH_OWNER}
     where keys.id = (select min(named.id) from identity.access_keys as named
                       where lower(named.id) = $2 and named.status = 'active' having count(*) = 1)`,
};

/** The one active access key that has this id in some letter case, with its owner and a tenant; undefined: there is none, or more than one. */
async function findAccessKeyOfTsig(
  db: Database,
  lowerId: string,
  tenantId: string | undefined,
): Promise<AccessKeyWithOwner | undefined> {
  return await readKeyWithOwner(db, FIND_OF_TSIG, [tenantId ?? null, lowerId]);
}
