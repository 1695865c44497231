import type { IncomingHttpHeaders } from 'node:http';
import { type AuthorizedClient, type JsonAnswer, ServiceError } from '@zonewright/service-kit';
import { readTokenBody, type ValidatedToken } from './token-validator.js';

/** Validates tokens with one call to the identity service for each, as a service user. */
export class IdentityClient {
  readonly #client: AuthorizedClient;
  readonly #serviceTypes: readonly string[];

  constructor(client: AuthorizedClient, serviceTypes: readonly string[]) {
    this.#client = client;
    this.#serviceTypes = serviceTypes;
  }

  /** @throws ServiceError as TokenValidator.validate does */
  async validate(token: string): Promise<ValidatedToken> {
    const { status, headers, body } = await this.#ask(token);
    switch (status) {
      case 200:
        return { ...readTokenBody(body, this.#serviceTypes), ...readRevocationHeaders(headers) };
      case 403:
        throw new ServiceError('forbidden', 'The user is disabled or suspended.');
      case 400:
      case 404:
        throw new ServiceError(
          'unauthenticated',
          'The token is unknown, expired or revoked; authenticate again.',
        );
      default:
        throw new ServiceError(
          'unavailable',
          'The token cannot be validated at the moment; try again.',
          {
            cause: new Error(
              `The identity service answered a token validation with status ${status}.`,
            ),
          },
        );
    }
  }

  async #ask(token: string): Promise<JsonAnswer> {
    return await this.#client.call({
      method: 'GET',
      path: 'v3/auth/tokens',
      headers: {
        'x-subject-token': token,
        // Without this header the identity service does not accept restricted tokens, so that a client that ignores
        // restrictions cannot use them.
        'x-zonewright-understands': 'restrictions',
      },
    });
  }
}

/** Reads the headers that describe how a token can end before it expires. */
function readRevocationHeaders(
  headers: IncomingHttpHeaders,
): Pick<ValidatedToken, 'names' | 'revocationsAt'> {
  const names = headers['x-token-names'];
  const revocationsAt = headers['x-revocations'];
  return {
    names: typeof names === 'string' ? names.split(',') : [],
    revocationsAt: typeof revocationsAt === 'string' ? revocationsAt : undefined,
  };
}

/**
 * An operation of the identity service for other services, with the error to report if the service is not available.
 */
interface Question {
  /** The path below `v3/internal/`. */
  readonly path: string;
  readonly body: object;
  readonly timeoutMs?: number | undefined;
  readonly tooMany: string;
  readonly cannot: string;
}

/** Returns the members of the response. @throws ServiceError `rate-limited`, `unavailable` */
export async function callIdentity(
  client: AuthorizedClient,
  { path, body: asked, timeoutMs, tooMany, cannot }: Question,
): Promise<Readonly<Record<string, unknown>>> {
  const { status, body } = await client.call({
    method: 'POST',
    path: `v3/internal/${path}`,
    body: asked,
    timeoutMs,
  });
  if (status === 200) return body as Readonly<Record<string, unknown>>;
  if (status === 429) throw new ServiceError('rate-limited', tooMany);
  throw new ServiceError('unavailable', cannot, {
    cause: new Error(`The identity service answered ${path} with status ${status}.`),
  });
}
