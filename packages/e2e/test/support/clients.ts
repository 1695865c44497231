import { waitFor } from '@zonewright/testkit';

/** Response of one of the two APIs. */
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

/** Calls an API as a plain HTTP client, and reads the JSON of the response. */
export async function call(
  url: string,
  { method = 'GET', token, body, headers = {} }: Call = {},
): Promise<ApiAnswer> {
  const response = await fetch(url, {
    method,
    headers: {
      accept: 'application/json',
      // A keep-alive connection may have been closed while a test waited for a program.
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

/** Time limit for retries, much longer than a service is busy. */
const INSIST_MS = 60_000;

/** Calls an API during a set-up. A 503 means that nothing was done, so the call is repeated. */
export async function insist(url: string, request: Call = {}): Promise<ApiAnswer> {
  return await waitFor(async () => {
    const answer = await call(url, request);
    return answer.status === 503 ? undefined : answer;
  }, INSIST_MS);
}

/** Returns a token of the demo user, with its tenant as scope. */
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
