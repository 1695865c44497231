import {
  type FairSlots,
  AuthorizedClient,
  type Clock,
  HttpJsonClient,
  type Logger,
  ServiceToken,
  type Tracing,
} from '@zonewright/service-kit';
import type { DnsApiSettings } from '../settings/settings.js';
import { CachedValidator } from './cached-validator.js';
import { IdentityClient } from './identity-client.js';
import { KeyClient } from './key-client.js';
import { RevocationListener } from './revocation-listener.js';
import { TsigClient } from './tsig-client.js';
import type { TokenValidator } from './token-validator.js';

/** The validator and its dependencies. */
export interface TokenAccess {
  readonly validator: TokenValidator;
  readonly tsig: TsigClient;
  readonly keys: KeyClient;
  start(): void;
  stop(): void;
  /** Whether this process receives revocations without delay. */
  hearsRevocations(): boolean;
  /** Rejects while tokens cannot be validated, for /readyz. */
  check(): Promise<void>;
}

interface TokenAccessParts {
  /** Limits queries to the identity service. */
  readonly places: FairSlots;
  readonly clock: Clock;
  readonly log: Logger;
  readonly tracing: Tracing | undefined;
}

/** Assembles the parts of token validation. */
export function createTokenAccess(
  { identity, redis }: DnsApiSettings,
  { places, clock, log, tracing }: TokenAccessParts,
): TokenAccess {
  const client = new HttpJsonClient({
    baseUrl: identity.url,
    serverName: 'identity service',
    tracing,
  });
  const serviceToken = new ServiceToken(client, identity, 'DNS_API_SERVICE_ACCESS_KEY');
  const authorized = new AuthorizedClient(client, serviceToken);
  const validator = new CachedValidator(
    new IdentityClient(authorized, identity.serviceTypes),
    clock,
    places,
  );
  const revocations =
    redis.url === undefined
      ? undefined
      : new RevocationListener({ url: redis.url, keyPrefix: redis.keyPrefix }, validator, log);
  return {
    validator,
    tsig: new TsigClient(authorized, identity.serviceTypes),
    keys: new KeyClient({ client: authorized, serviceTypes: identity.serviceTypes, places }),
    start: () => revocations?.start(),
    stop: () => {
      revocations?.stop();
      client.close();
    },
    hearsRevocations: () => validator.isRemembering,
    check: async () => {
      await serviceToken.get();
      // The token may be cached, so this call checks that the service can be reached.
      await client.call({ method: 'GET', path: 'v3', headers: {} });
    },
  };
}
