import type { components } from './generated/identity.js';
import { readJson, type Transport } from './transport.js';

/** Time before the expiry of a token from which it is no longer used, since a call may take some time. */
const RENEW_BEFORE_MS = 5 * 60_000;

/** Shares one session among all concurrent calls. Calls that need a session while it is being created wait for it. */
export class SessionHolder {
  readonly #open: () => Promise<Session>;
  readonly #now: () => number;
  #session: Session | undefined;
  #flight: Promise<Session> | undefined;

  /** @param open logs in */
  constructor(open: () => Promise<Session>, now: () => number = Date.now) {
    this.#open = open;
    this.#now = now;
  }

  /** @throws the error of the login, for all waiting callers; the next call tries again */
  async get(): Promise<Session> {
    const held = this.#session;
    if (held !== undefined && held.expiresAt - this.#now() > RENEW_BEFORE_MS) return held;
    return await (this.#flight ??= this.#renew());
  }

  /** Drops a session whose token the service rejects because it was revoked or its key was deleted. */
  drop(session: Session): void {
    if (this.#session === session) this.#session = undefined;
  }

  async #renew(): Promise<Session> {
    try {
      return (this.#session = await this.#open());
    } finally {
      this.#flight = undefined;
    }
  }
}

type Access = components['schemas']['Access']['access'];
type Auth = components['schemas']['AuthXml'];

/**
 * Logs in. If no tenant is given and the user has exactly one, it is chosen. Otherwise the session has none.
 *
 * @throws ZonewrightError
 */
export async function logIn(
  transport: Transport,
  identityUrl: string,
  credentials: Credentials,
): Promise<Session> {
  const session = await authenticate(transport, identityUrl, credentials);
  if (session.tenant !== undefined) return session;
  const url = `${identityUrl}/v2.0/tenants`;
  const headers = { Accept: 'application/json', 'X-Auth-Token': session.token };
  const call = { operation: 'listTenants', effect: 'none', url, method: 'GET', headers } as const;
  const { text } = await transport.send(call);
  const { tenants } = readJson(text, url) as { tenants: readonly { readonly id: string }[] };
  const [only, ...others] = tenants;
  if (only === undefined || others.length > 0) return session;
  return await authenticate(transport, identityUrl, { ...credentials, tenantId: only.id });
}

/** POST /v2.0/tokens. The request changes nothing, so it may be repeated. @throws ZonewrightError */
async function authenticate(
  transport: Transport,
  identityUrl: string,
  credentials: Credentials,
): Promise<Session> {
  const url = `${identityUrl}/v2.0/tokens`;
  const { text } = await transport.send({
    operation: 'authenticate',
    effect: 'none',
    url,
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({ auth: toAuth(credentials) }),
  });
  return readAccess((readJson(text, url) as { access: Access }).access);
}

function toAuth({ tenantId, tenantName, ...secrets }: Credentials): Auth {
  const tenant = tenantId === undefined ? { tenantName } : { tenantId };
  return {
    ...('password' in secrets
      ? { passwordCredentials: secrets }
      : {
          apiAccessKeyCredentials: { accessKey: secrets.accessKeyId, secretKey: secrets.secretKey },
        }),
    ...(Object.values(tenant)[0] === undefined ? {} : (tenant as { tenantId: string })),
  };
}

function readAccess({ token, user, serviceCatalog }: Access): Session {
  const dns = serviceCatalog.find(({ type }) => type === 'ext:dns')?.endpoints[0]?.publicURL;
  return {
    token: token.id,
    expiresAt: Date.parse(token.expires),
    user: { id: user.id, name: user.name },
    tenant: token.tenant,
    roles: user.roles.map(({ name }) => name),
    dnsUrl: dns?.replace(/\/v\d[^/]*\/?$/, ''),
  };
}

/** Credentials: a password or an access key. The tenant is optional if there is only one. */
export type Credentials = (
  | { readonly username: string; readonly password: string }
  | { readonly accessKeyId: string; readonly secretKey: string }
) & {
  readonly tenantId?: string | undefined;
  readonly tenantName?: string | undefined;
};

/** Result of a login. */
export interface Session {
  /** Empty if the request is authenticated by a cookie. */
  readonly token: string;
  /** Expiry time in milliseconds since 1970. */
  readonly expiresAt: number;
  readonly user: { readonly id: string; readonly name: string };
  readonly tenant: { readonly id: string; readonly name: string } | undefined;
  readonly roles: readonly string[];
  /** Base URL of the DNS API, without a version. Undefined if the catalog has none. */
  readonly dnsUrl: string | undefined;
}
