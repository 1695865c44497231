import type { components } from '../generated/identity.js';
import { readJson, type Transport } from '../http/transport.js';
import type { Credentials, Session } from './credentials.js';

type Access = components['schemas']['Access']['access'];
type Auth = components['schemas']['AuthXml'];

/** POST /v2.0/tokens: nothing is kept of a token, so it may be repeated. @throws ZonewrightError */
export async function logIn(
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
