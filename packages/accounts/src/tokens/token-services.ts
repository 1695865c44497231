import type { Database, Keyring } from '@zonewright/database';
import type { Clock, Logger } from '@zonewright/service-kit';
import { AccessKeyUses } from '../access-keys/access-key-uses.js';
import { CredentialVerifier } from '../login/credential-verifier.js';
import { TsigVerifier } from '../login/tsig-verifier.js';
import { VerifiedCredentials } from '../login/verified-credentials.js';
import type { ChangeWatch } from '../shared/change-watch.js';
import type { RedisConnection } from '../shared/redis-connection.js';
import { Directory } from './directory.js';
import { TokenSigner } from './token-signer.js';
import { TokenStates } from './token-states.js';
import { TokenValidator } from './validate.js';

/** Services that issue, validate and revoke tokens. A process has one instance of each. */
export interface TokenServices {
  readonly db: Database;
  readonly clock: Clock;
  readonly directory: Directory;
  readonly signer: TokenSigner;
  readonly tokenStates: TokenStates;
  readonly validator: TokenValidator;
  readonly verifier: CredentialVerifier;
  readonly verifiedCredentials: VerifiedCredentials;
  readonly accessKeyUses: AccessKeyUses;
  readonly tsigVerifier: TsigVerifier;
}

interface TokenServicesOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly keyring: Keyring;
  readonly watch: ChangeWatch;
  readonly redis: RedisConnection | undefined;
}

export function createTokenServices(options: TokenServicesOptions): TokenServices {
  const { db, clock, log, keyring, watch, redis } = options;
  const directory = new Directory(db, watch);
  const signer = new TokenSigner({ db, watch, keyring, clock });
  const tokenStates = new TokenStates({ db, watch, redis, clock, log });
  return {
    db,
    clock,
    directory,
    signer,
    tokenStates,
    validator: new TokenValidator({ watch, signer, tokenStates, directory }),
    verifier: new CredentialVerifier({ db, keyring, clock }),
    verifiedCredentials: new VerifiedCredentials(watch, clock),
    accessKeyUses: new AccessKeyUses({ db, clock, log }),
    tsigVerifier: new TsigVerifier({ db, keyring, clock }),
  };
}
