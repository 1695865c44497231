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

/** A token of the demo's user, scoped to its tenant. */
export async function authenticate(facts: Record<string, string>): Promise<string> {
  const { body } = await call(`${facts['ZONEWRIGHT_IDENTITY_URL'] ?? ''}/v2.0/tokens`, {
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
