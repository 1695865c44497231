import type { HttpJsonClient, JsonAnswer, JsonCall } from './http-json.js';
import type { ServiceToken } from './service-token.js';

/** Calls of the identity service as this service's own user. */
export class AuthorizedClient {
  readonly #client: HttpJsonClient;
  readonly #serviceToken: ServiceToken;

  constructor(client: HttpJsonClient, serviceToken: ServiceToken) {
    this.#client = client;
    this.#serviceToken = serviceToken;
  }

  /** @throws ServiceError `unavailable` */
  async call(call: Omit<JsonCall, 'headers'> & Partial<JsonCall>): Promise<JsonAnswer> {
    const own = await this.#serviceToken.get();
    const answer = await this.#send(call, own);
    if (answer.status !== 401) return answer;
    // 401 is about our own token: it expired, or signing keys changed. A new one is tried once.
    await this.#serviceToken.discard(own);
    return await this.#send(call, await this.#serviceToken.get());
  }

  async #send(
    { headers, ...call }: Omit<JsonCall, 'headers'> & Partial<JsonCall>,
    token: string,
  ): Promise<JsonAnswer> {
    return await this.#client.call({ ...call, headers: { ...headers, 'x-auth-token': token } });
  }
}
