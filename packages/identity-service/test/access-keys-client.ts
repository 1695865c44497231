import { type Answer, call, type Format } from './client.js';

export const KEYS = '/v2.0/EXT-IDM/v1.0/accesskeys';

export interface AccessKeyJson {
  readonly accessKeyId: string;
  readonly secretKey?: string;
  readonly algorithm: string;
  readonly keyLength?: number;
  readonly domainId: string;
  readonly userId: string;
  readonly status: string;
  readonly validFrom: number;
  readonly validTo: number;
  readonly createdOn: number;
  readonly otherAttributes: unknown;
}

/** The operations on access keys with one token. */
export class AccessKeysClient {
  readonly #url: string;
  readonly #token: string;

  constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  async send(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    rest: { body?: unknown; accept?: Format } = {},
  ): Promise<Answer> {
    return await call(this.#url, { method, path: KEYS + path, token: this.#token, ...rest });
  }

  async create(accessKey: object = {}): Promise<AccessKeyJson> {
    return keyOf(await this.send('POST', '', { body: { accessKey } }));
  }

  async get(id: string, query = ''): Promise<AccessKeyJson> {
    return keyOf(await this.send('GET', `/${id}${query}`));
  }

  async list(query = ''): Promise<readonly AccessKeyJson[]> {
    return keysOf(await this.send('GET', query));
  }

  async setStatus(id: string, status: string, query = ''): Promise<Answer> {
    return await this.send('PUT', `/${id}${query}`, { body: { accessKey: { status } } });
  }
}

export function keyOf(answer: Answer): AccessKeyJson {
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text}`);
  return (answer.json as { accessKey: AccessKeyJson }).accessKey;
}

export function keysOf(answer: Answer): readonly AccessKeyJson[] {
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text}`);
  return (answer.json as { accessKeys: { accessKey: AccessKeyJson[] } }).accessKeys.accessKey;
}
