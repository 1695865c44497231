import { waitFor } from '@zonewright/testkit';

/** An answer of one of the two APIs. */
export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Calls an API as a plain HTTP client, and reads whatever JSON comes back. */
export async function call(
  url: string,
  { method = 'GET', token, body, headers = {} }: Call = {},
): Promise<ApiAnswer> {
  const response = await fetch(url, {
    method,
    headers: {
      accept: 'application/json',
      // A kept one may have been closed while a test stood still for a program.
      connection: 'close',
      ...headers,
      ...(token === undefined ? {} : { 'x-auth-token': token }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : (JSON.parse(text) as unknown),
  };
}

/** Much longer than a service is busy. */
const INSIST_MS = 60_000;

/** A call of a set-up: a 503 says that nothing was done, and a client comes again. */
export async function insist(url: string, request: Call = {}): Promise<ApiAnswer> {
  return await waitFor(async () => {
    const answer = await call(url, request);
    return answer.status === 503 ? undefined : answer;
  }, INSIST_MS);
}

/** A token of the demo's user, scoped to its tenant. */
export async function authenticate(facts: Record<string, string>): Promise<string> {
  const { body } = await insist(`${facts['ZONEWRIGHT_IDENTITY_URL'] ?? ''}/v2.0/tokens`, {
    method: 'POST',
    body: {
      auth: {
        passwordCredentials: {
          username: facts['ZONEWRIGHT_USERNAME'],
          password: facts['ZONEWRIGHT_PASSWORD'],
        },
        tenantId: facts['ZONEWRIGHT_TENANT_ID'],
      },
    },
  });
  return (body as { access: { token: { id: string } } }).access.token.id;
}
