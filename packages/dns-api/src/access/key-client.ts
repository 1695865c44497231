import {
  type FairSlots,
  type AuthorizedClient,
  ServiceError,
  sourceNetwork,
} from '@zonewright/service-kit';
import type { Caller } from '@zonewright/zones';
import { callIdentity } from './identity-client.js';
import { readTokenBody } from './token-validator.js';

/** An access key and its secret, as a request presents them. */
export interface PresentedAccessKey {
  readonly id: string;
  readonly secret: string;
}

interface KeyClientParts {
  readonly client: AuthorizedClient;
  readonly serviceTypes: readonly string[];
  /** Limits queries to the identity service. */
  readonly places: Pick<FairSlots, 'run'>;
}

/**
 * Asks the identity service for the owner of a presented access key, because this service does not know the secrets.
 */
export class KeyClient {
  readonly #parts: KeyClientParts;

  constructor(parts: KeyClientParts) {
    this.#parts = parts;
  }

  /**
   * @param source the address that presented the key
   * @throws ServiceError `unauthenticated`; `rate-limited` for a source with too many wrong keys, or for a key that is
   * used too often; `unavailable`; Overload
   */
  async check(key: PresentedAccessKey, source: string): Promise<Caller> {
    const { client, serviceTypes, places } = this.#parts;
    const { token } = await places.run(`from ${sourceNetwork(source)}`, () =>
      callIdentity(client, {
        path: 'access-keys/verify',
        body: { access_key: { ...key, source } },
        tooMany:
          'Too many wrong access keys from this address, or too many requests with this key; try again later.',
        cannot: 'Access keys cannot be checked at the moment; try again.',
      }),
    );
    if (token === null) {
      const message =
        'The access key or its secret key is wrong, or the key is not allowed from this address.';
      throw new ServiceError('unauthenticated', message);
    }
    return readTokenBody({ token }, serviceTypes).caller;
  }
}
