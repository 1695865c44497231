import type { Database, Keyring } from '@zonewright/database';
import type { Clock, Logger } from '@zonewright/service-kit';
import { AccessKeyUses } from '../../access-keys/access-key-uses.js';
import { Directory } from '../../directory/directory.js';
import type { ChangeWatch } from '../../changes/change-watch.js';
import type { RedisConnection } from '../../redis/redis-connection.js';
import { CredentialVerifier } from '../credentials/credential-verifier.js';
import { TokenValidator } from '../validation/token-validator.js';
import { TokenSigner } from '../signing/token-signer.js';
import { TsigVerifier } from '../credentials/tsig-verifier.js';
import { TokenStates } from '../state/token-states.js';
import { VerifiedCredentials } from '../credentials/verified-credentials.js';

/** What tokens are made, validated and ended with. One of each in a process. */
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
