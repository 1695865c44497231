import { signRequest, writeMessage } from '@zonewright/dns-records';
import {
  activateService,
  assignRole,
  insertAccessKey,
  insertAccountDomain,
  insertRole,
  insertTenant,
  insertUser,
  newId,
  type TestTenant,
  type TestUser,
} from '@zonewright/testkit';
import { type Call, tokenOf } from './client.js';
import { type IdentityHandle, keyring } from './use-identity.js';

/**
 * Objects that administrators manage, and a user who holds the role `member` on a tenant and on the account domain of
 * both.
 */
export interface Things {
  readonly accountDomainId: string;
  readonly user: TestUser;
  readonly tenant: TestTenant;
  /** A role that nobody holds. */
  readonly roleId: string;
  readonly memberId: string;
  readonly serviceId: string;
  readonly endpointId: string;
  /** An endpoint of the DNS service, which is active for the tenant. */
  readonly dnsEndpointId: string;
}

export async function insertThings(
  { db, world }: IdentityHandle,
  accountDomainId = world.accountDomainId,
): Promise<Things> {
  const [user, tenant, roleId] = await Promise.all([
    insertUser(db, { accountDomainId }),
    insertTenant(db, { accountDomainId }),
    insertRole(db),
  ]);
  const memberId = world.roleIds.member;
  await assignRole(db, { userId: user.id, roleId: memberId, tenantId: tenant.id });
  await assignRole(db, { userId: user.id, roleId: memberId });
  const { identity: serviceId, dns } = world.serviceIds;
  await activateService(db, { tenantId: tenant.id, serviceId: dns });
  const endpointOf = async (id: string) => {
    const { rows } = await db.raw<{ rows: { id: string }[] }>(
      'select id from identity.endpoints where service_id = ?',
      [id],
    );
    return rows[0]?.id ?? '';
  };
  const endpointId = await endpointOf(serviceId);
  const dnsEndpointId = await endpointOf(dns);
  return { accountDomainId, user, tenant, roleId, memberId, serviceId, endpointId, dnsEndpointId };
}

/** Returns all data of these objects that an administrator could change. */
export async function stateOfThings({ db }: IdentityHandle, things: Things): Promise<unknown> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `select (select to_jsonb(u) from identity.users as u where u.id = ?) as the_user,
       (select to_jsonb(t) from identity.tenants as t where t.id = ?) as tenant,
       (select to_jsonb(r) from identity.roles as r where r.id = ?) as the_role,
       (select json_agg(a order by a.tenant_id) from identity.role_assignments as a where a.user_id = ?) as held,
       (select count(*) from identity.tenant_services as s where s.tenant_id = ?) as services,
       (select count(*) from identity.users as u where u.account_domain_id = ?) as users,
       (select count(*) from identity.tenants as t where t.account_domain_id = ?) as tenants,
       (select count(*) from identity.roles) as roles`,
    [
      ...[things.user.id, things.tenant.id, things.roleId, things.user.id, things.tenant.id],
      ...[things.accountDomainId, things.accountDomainId],
    ],
  );
  return rows[0];
}

/** Creates a user of a separate account domain who manages all account domains. */
export async function insertOperator({ db }: IdentityHandle): Promise<TestUser> {
  const operator = await insertUser(db, { accountDomainId: await insertAccountDomain(db) });
  await assignRole(db, { userId: operator.id, roleId: await operatorRole(db) });
  return operator;
}

export async function operatorRole(db: IdentityHandle['db']): Promise<string> {
  const { rows } = await db.raw<{ rows: { id: string }[] }>(
    `select id from identity.roles where name = 'identity-operator'`,
  );
  return rows[0]?.id ?? (await insertRole(db, { name: 'identity-operator' }));
}

/** Returns a path of the administration that contains the ids of these objects. */
export function administrationPath(path: string, things: Things): string {
  const isGrant = path.includes('/users/{userId}/roles');
  const isFilter = path.includes('/OS-EP-FILTER/');
  return path
    .replace('{userId}', things.user.id)
    .replace('{projectId}', things.tenant.id)
    .replace('{roleId}', isGrant ? things.memberId : things.roleId)
    .replace('{domainId}', things.accountDomainId)
    .replace('{serviceId}', things.serviceId)
    .replace('{endpointId}', isFilter ? things.dnsEndpointId : things.endpointId)
    .replace('{regionId}', 'US-West');
}

/** A message with a TSIG by a key that does not exist. */
const SIGNED = Buffer.from(
  signRequest(
    writeMessage({ id: 1, flags: 0x2800 }),
    { name: 'nobody.', algorithm: 'hmac-sha256', secret: Buffer.alloc(32) },
    1_700_000_000,
  ).message,
).toString('base64');

/** Returns a valid body for an operation of the administration; undefined if it has none. */
export function administrationBody(method: string, path: string, things?: Things): unknown {
  const name = `new-${newId()}`;
  const domain_id = things?.accountDomainId;
  const bodies: Readonly<Record<string, object>> = {
    'POST /v3/projects': { project: { name, domain_id } },
    'PATCH /v3/projects/{projectId}': { project: { description: 'another one' } },
    'POST /v3/users': { user: { name, domain_id } },
    'PATCH /v3/users/{userId}': { user: { name } },
    'POST /v3/users/{userId}/password': {
      user: { original_password: things?.user.password ?? 'x', password: `Pw-${newId()}` },
    },
    'POST /v3/roles': { role: { name } },
    'PATCH /v3/roles/{roleId}': { role: { name } },
    'POST /v3/internal/tsig/verify': { tsig: { message: SIGNED, source: '192.0.2.1' } },
    'POST /v3/internal/tsig/exchange': {
      tsig: { requests: [{ message: SIGNED, source: '192.0.2.1' }] },
    },
    'POST /v3/internal/tsig/sign': { tsig: { request: SIGNED, answer: SIGNED } },
    'POST /v3/internal/tsig/sign-transfer': {
      tsig: { request: SIGNED, answers: [{ message: SIGNED }] },
    },
    'POST /v3/internal/access-keys/verify': {
      access_key: { id: 'nobody', secret: 'x', source: '192.0.2.1' },
    },
  };
  return bodies[`${method} ${path}`];
}

/** Returns a valid request of an operation of the administration, with new objects and a caller who may make it. */
export async function soundAdministration(
  identity: IdentityHandle,
  method: NonNullable<Call['method']>,
  path: string,
): Promise<Call> {
  if (path.startsWith('/v3/internal/tsig/')) return await soundTsig(identity, method, path);
  const things = await insertThings(identity);
  const caller = await callerOf(identity, path, things);
  return {
    method,
    path: administrationPath(path, things),
    token: await tokenOf(identity.url, caller),
    body: administrationBody(method, path, things),
  };
}

async function callerOf(identity: IdentityHandle, path: string, things: Things): Promise<TestUser> {
  if (path.endsWith('/password')) return things.user;
  return path.startsWith('/v3/internal/')
    ? identity.world.serviceUser
    : await insertOperator(identity);
}

/** Returns a request of a service about a message that is signed with an access key. */
async function soundTsig(
  { db, url, world }: IdentityHandle,
  method: NonNullable<Call['method']>,
  path: string,
): Promise<Call> {
  const { user, accountDomainId, serviceUser } = world;
  const secret = Buffer.alloc(30, 1);
  const secretKey = secret.toString('base64');
  const { accessKey } = await insertAccessKey(db, keyring, {
    userId: user.id,
    accountDomainId,
    secretKey,
  });
  const key = { name: `${accessKey}.`, algorithm: 'hmac-sha256', secret } as const;
  const message = writeMessage({ id: 1, flags: 0x2800 });
  const signed = signRequest(message, key, Date.now() / 1000).message;
  const request = Buffer.from(signed).toString('base64');
  const check = { message: request, source: '192.0.2.1' };
  const bodies: Readonly<Record<string, object>> = {
    verify: check,
    exchange: { requests: [{ ...check, answer: SIGNED }] },
    sign: { request, answer: SIGNED },
    'sign-transfer': { request, answers: [{ message: SIGNED }] },
  };
  const tsig = bodies[path.slice(path.lastIndexOf('/') + 1)];
  return { method, path, token: await tokenOf(url, serviceUser), body: { tsig } };
}
