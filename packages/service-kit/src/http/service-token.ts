import { ServiceError } from '../values/errors.js';
import type { HttpJsonClient, JsonAnswer, JsonCall } from './http-json.js';

interface ServiceCredentials {
  readonly accessKey: string;
  readonly secretKey: string;
}

/**
 * Token of this service's own user. It is obtained with an access key on first use, and cached until a service rejects
 * it.
 */
export class ServiceToken {
  readonly #client: HttpJsonClient;
  readonly #credentials: ServiceCredentials;
  #current: Promise<string> | undefined;

  readonly #setting: string;

  /** @param setting name of the setting with the access key, for errors */
  constructor(client: HttpJsonClient, credentials: ServiceCredentials, setting: string) {
    this.#setting = setting;
    this.#client = client;
    this.#credentials = credentials;
  }

  /** @throws ServiceError `unavailable` if no token can be obtained */
  async get(): Promise<string> {
    const pending = (this.#current ??= this.#authenticate());
    try {
      return await pending;
    } catch (error) {
      if (this.#current === pending) this.#current = undefined;
      throw error;
    }
  }

  /** Discards a rejected token. Concurrent calls share one request for a new token. */
  async discard(refused: string): Promise<void> {
    const pending = this.#current;
    if (pending !== undefined && (await pending.catch(() => refused)) === refused) {
      if (this.#current === pending) this.#current = undefined;
    }
  }

  async #authenticate(): Promise<string> {
    const { accessKey, secretKey } = this.#credentials;
    const { status, body } = await this.#client.call({
      method: 'POST',
      path: 'v2.0/tokens',
      headers: {},
      body: { auth: { apiAccessKeyCredentials: { accessKey, secretKey } } },
    });
    const id = (body as { access?: { token?: { id?: unknown } } } | undefined)?.access?.token?.id;
    if (status === 200 && typeof id === 'string') return id;
    throw new ServiceError('unavailable', 'Tokens cannot be validated at the moment; try again.', {
      cause: new Error(
        `The identity service rejected the access key of this service (${this.#setting}) with status ${status}.`,
      ),
    });
  }
}

/** Client of the identity service that authenticates as this service's own user. */
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
    // A 401 concerns the service's own token: it has expired, or the signing keys have changed. The call is repeated
    // once with a new token.
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
