import { openDatabase, parseKeyring } from '@zonewright/database';
import type { TsigKey } from '@zonewright/dns-records';
import { activateService, assignRole, insertAccessKey } from '@zonewright/testkit';
import { insertTenant, insertUser } from '@zonewright/testkit';
import { insist } from '../../support/clients.js';
import { readOperatorEnvironment } from '../../support/operate.js';
import type { RunningPlatform } from '../../support/running-platform.js';

/** Tenant with one user, logged in by all methods, and a domain with a record. */
export interface SettledTenant {
  readonly name: string;
  readonly tenantId: string;
  readonly username: string;
  readonly password: string;
  readonly key: TsigKey;
  readonly token: string;
  /** Cookie of the console's session. */
  readonly cookie: string;
  readonly zone: Domain;
  readonly recordId: string;
}

export interface Domain {
  readonly id: string;
  readonly name: string;
}

interface Login {
  readonly tenantId: string;
  readonly username: string;
  readonly password: string;
  readonly key: TsigKey;
}

export async function settleTenants(
  platform: RunningPlatform,
  names: readonly string[],
): Promise<SettledTenant[]> {
  const tenants: SettledTenant[] = [];
  const logins = await insertTenants(platform, names);
  for (const [at, login] of logins.entries()) {
    tenants.push(await settle(platform, names[at] ?? '', login));
  }
  return tenants;
}

async function insertTenants(
  platform: RunningPlatform,
  names: readonly string[],
): Promise<Login[]> {
  const env = readOperatorEnvironment(platform);
  const keyring = parseKeyring(env['ENCRYPTION_KEYS'] ?? '');
  const db = openDatabase({
    url: env['DATABASE_URL'] ?? '',
    applicationName: 'zonewright-test',
    maxConnections: 1,
  });
  const idOf = async (table: string, name: string) => {
    const { rows } = await db.raw<{ rows: { id: string }[] }>(
      `select id from identity.${table} where name = ?`,
      [name],
    );
    return rows[0]?.id ?? '';
  };
  try {
    const { rows } = await db.raw<{ rows: { account_domain_id: string }[] }>(
      "select account_domain_id from identity.tenants where name = 'demo'",
    );
    const accountDomainId = rows[0]?.account_domain_id ?? '';
    const serviceId = await idOf('services', 'DNS');
    const roleIds = [await idOf('roles', 'member'), await idOf('roles', 'dns-admin')];
    const logins: Login[] = [];
    for (const name of names) {
      const tenant = await insertTenant(db, { accountDomainId, name });
      const user = await insertUser(db, { accountDomainId, name: `user-${name}` });
      for (const roleId of roleIds) {
        await assignRole(db, { userId: user.id, roleId, tenantId: tenant.id });
      }
      await activateService(db, { tenantId: tenant.id, serviceId });
      const key = await insertAccessKey(db, keyring, { userId: user.id, accountDomainId });
      logins.push({
        tenantId: tenant.id,
        username: user.name,
        password: user.password,
        key: {
          name: `${key.accessKey}.`.toLowerCase(),
          algorithm: 'hmac-sha256',
          secret: Buffer.from(key.secretKey, 'base64'),
        },
      });
    }
    return logins;
  } finally {
    await db.destroy();
  }
}

async function settle(
  platform: RunningPlatform,
  name: string,
  login: Login,
): Promise<SettledTenant> {
  const { token, cookie } = await logIn(platform, login);
  const zone = await createDomain(platform, token, `${name}.example.`);
  const record = await post(platform, token, `/domains/${zone.id}/records`, {
    name: `www.${zone.name}`,
    type: 'A',
    data: '192.0.2.1',
  });
  return { name, ...login, token, cookie, zone, recordId: record.id };
}

async function logIn({ ports }: RunningPlatform, { username, password, tenantId }: Login) {
  const auth = { passwordCredentials: { username, password }, tenantId };
  const { body } = await insist(`http://127.0.0.1:${ports.identity}/v2.0/tokens`, {
    method: 'POST',
    body: { auth },
  });
  const { access } = body as { access: { token: { id: string } } };
  const session = await insist(`http://127.0.0.1:${ports.console}/session`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin' },
    body: { username, password },
  });
  const cookie = (session.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  return { token: access.token.id, cookie };
}

export async function createDomain(
  platform: RunningPlatform,
  token: string,
  name: string,
): Promise<Domain> {
  const { id } = await post(platform, token, '/domains', { name, email: 'a@example.com' });
  return { id, name };
}

async function post(
  { ports }: RunningPlatform,
  token: string,
  path: string,
  body: object,
): Promise<{ id: string }> {
  const url = `http://127.0.0.1:${ports.dns}/v1${path}`;
  const answer = await insist(url, { method: 'POST', token, body });
  if (answer.status !== 200)
    throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body as { id: string };
}
