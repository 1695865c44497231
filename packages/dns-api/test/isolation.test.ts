import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { assignRole, FakeClock, insertRole, insertTenant, insertUser } from '@zonewright/testkit';
import type { Operation } from '../src/http/operation.js';
import { OPERATIONS } from '../src/operations.js';
import { patientRequest } from './support/patient-request.js';
import { readHead } from './support/read-head.js';
import { usePlatform } from './support/use-platform.js';

const clock = new FakeClock();
const platform = usePlatform({ identityClock: clock });

const ask: ReturnType<typeof patientRequest> = (...call) =>
  patientRequest(platform.dnsUrl)(...call);

const TOKEN_HOURS = 13;

/** The kinds of tokens of requests, with the status of every operation for them. */
const REFUSED = {
  'no token': 401,
  'an invalid token': 401,
  'an expired token': 401,
  'a revoked token': 401,
  'an unscoped token': 401,
  'a tenant without the service': 401,
  'a user without the needed role': 401,
  'a disabled user': 403,
  'a suspended user': 403,
} as const;

type Case = keyof typeof REFUSED;
const tokens = new Map<Case, string>();
let owner = '';
let stranger = '';
let ids = { domainId: '', recordId: '', recordset_id: '' };

beforeAll(async () => {
  const { world, db } = platform;
  const login = (...user: Parameters<typeof platform.login>) => platform.login(...user);
  const { accountDomainId } = world;
  const role = await insertRole(db, { name: 'dns-admin' });
  await db.raw('insert into identity.service_required_roles (service_id, role_id) values (?, ?)', [
    world.serviceIds.dns,
    role,
  ]);
  const newUser = async (withRole: boolean) => {
    const user = await insertUser(db, { accountDomainId });
    const roles = [world.roleIds.member, ...(withRole ? [role] : [])];
    for (const roleId of roles) {
      await assignRole(db, { userId: user.id, roleId, tenantId: world.tenant.id });
    }
    return user;
  };
  await assignRole(db, { userId: world.user.id, roleId: role, tenantId: world.tenant.id });
  await assignRole(db, { userId: world.user.id, roleId: role, tenantId: world.secondTenant.id });

  tokens.set('an invalid token', 'not-a-token');
  tokens.set('an expired token', await login(world.user, world.tenant.id));
  clock.advance(TOKEN_HOURS * 3_600_000);
  tokens.set('a revoked token', await login(world.user, world.tenant.id));
  await platform.revoke(tokens.get('a revoked token') ?? '');
  tokens.set('an unscoped token', await login(world.user));
  tokens.set('a tenant without the service', await login(world.user, world.secondTenant.id));
  tokens.set('a user without the needed role', await login(await newUser(false), world.tenant.id));
  const disabled = await newUser(true);
  tokens.set('a disabled user', await login(disabled, world.tenant.id));
  await db.raw(`update identity.users set status = 'disabled' where id = ?`, [disabled.id]);
  const suspended = await newUser(true);
  tokens.set('a suspended user', await login(suspended, world.tenant.id));
  await db.raw(`update identity.users set status = 'suspended' where id = ?`, [suspended.id]);

  owner = await login(world.user, world.tenant.id);
  const otherTenant = await insertTenant(db, { accountDomainId });
  const other = await insertUser(db, { accountDomainId });
  await assignRole(db, { userId: other.id, roleId: role, tenantId: otherTenant.id });
  await db.raw('insert into identity.tenant_services (tenant_id, service_id) values (?, ?)', [
    otherTenant.id,
    world.serviceIds.dns,
  ]);
  stranger = await login(other, otherTenant.id);
  ids = await createObjects();
});

/**
 * Creates objects of v2 that belong to a domain, or are offered or given to its tenant; returns the id of each by the
 * name in its path.
 */
async function createExchanged(domainId: string): Promise<Record<string, string>> {
  const { db, world } = platform;
  const insert = async (statement: string, ...values: string[]) => {
    const { rows } = await db.raw<{ rows: { id: string }[] }>(statement, values);
    return rows[0]?.id ?? '';
  };
  const tenantId = world.tenant.id;
  const task = `insert into dns.zone_tasks (kind, tenant_id, domain_id, status) values (?, ?, ?, 'COMPLETE') returning id`;
  return {
    export_id: await insert(task, 'export', tenantId, domainId),
    import_id: await insert(task, 'import', tenantId, domainId),
    zone_share_id: await insert(
      `insert into dns.zone_shares (domain_id, target_tenant_id) values (?, 'elsewhere') returning id`,
      domainId,
    ),
    transfer_request_id: await insert(
      `insert into dns.zone_transfers (domain_id, tenant_id, target_tenant_id, key_digest)
       values (?, ?, 'elsewhere', '') returning id`,
      ...[domainId, tenantId],
    ),
    transfer_accept_id: await insert(
      `insert into dns.zone_transfers (domain_id, tenant_id, key_digest, status, accept_id, accepted_by, accepted_at)
       values (?, 'elsewhere', '', 'COMPLETE', gen_random_uuid(), ?, now()) returning accept_id as id`,
      ...[domainId, tenantId],
    ),
    tld_id: await insert(
      `insert into dns.name_rules (kind, pattern) values ('tld', 'example') returning id`,
    ),
    blacklist_id: await insert(
      `insert into dns.name_rules (kind, pattern) values ('blacklist', 'never') returning id`,
    ),
    peerId: await insert(
      `insert into dns.peers (tenant_id, name, all_domains, has_catalog, key_name, key_algorithm, secret_sealed, secret_key_id)
       values (?, 'isolated', true, true, 'isolated.', 'hmac-sha256', '', 'k') returning id`,
      tenantId,
    ),
    tsigkey_id: await insert(
      `insert into dns.tsig_keys (name, algorithm, secret_sealed, secret_key_id, scope, resource_id)
       values ('isolated', 'hmac-sha256', '', 'k', 'ZONE', ?) returning id`,
      domainId,
    ),
  };
}

async function createObjects() {
  const domain = await ask('post', '/v1/domains')
    .set('X-Auth-Token', owner)
    .send({ name: 'isolated.example.', email: 'a@example.com' })
    .expect(200);
  const domainId = (domain.body as { id: string }).id;
  const record = await ask('post', `/v1/domains/${domainId}/records`)
    .set('X-Auth-Token', owner)
    .send({ name: 'www.isolated.example.', type: 'A', data: '192.0.2.1' })
    .expect(200);
  const recordsets = await ask('get', `/v2/zones/${domainId}/recordsets?type=A`)
    .set('X-Auth-Token', owner)
    .expect(200);
  return {
    domainId,
    recordset_id: (recordsets.body as { recordsets: { id: string }[] }).recordsets[0]?.id ?? '',
    recordId: (record.body as { id: string }).id,
    ...(await createExchanged(domainId)),
  };
}

/** Returns all data that could be shown or changed: rows of zones, records and journal. */
async function countRows(): Promise<unknown> {
  const { rows } = await platform.db.raw<{ rows: unknown[] }>(
    `select (select jsonb_agg(d order by d.id) from dns.domains as d) as domains,
            (select jsonb_agg(r order by r.id) from dns.records as r) as records,
            (select jsonb_agg(t order by t.id) from dns.zone_tasks as t) as tasks,
            (select jsonb_agg(t order by t.id) from dns.zone_transfers as t) as transfers,
            (select jsonb_agg(s order by s.id) from dns.zone_shares as s) as shares,
            (select jsonb_agg(n order by n.id) from dns.name_rules as n) as rules,
            (select jsonb_agg(k order by k.id) from dns.tsig_keys as k) as keys,
            (select jsonb_agg(p order by p.id) from dns.peers as p) as peers,
            (select count(*) from dns.zone_changes) as changes`,
  );
  return rows;
}

function send(operation: Operation, token: string | undefined, domainId = ids.domainId) {
  const pool = '794ccc2c-d751-44fe-b57f-8894c9f5c842';
  const projectId = platform.world.tenant.id;
  const fixed = { project_id: projectId, pool_id: pool, service_id: pool, serial: '1' };
  const values: Record<string, string> = { ...ids, ...fixed, domainId, zone_id: domainId };
  const path = operation.path.replaceAll(
    /\{(\w+)\}/g,
    (whole, name: string) => values[name] ?? whole,
  );
  const method = operation.method.toLowerCase() as Lowercase<Operation['method']>;
  const call = ask(method, path);
  if (operation.id === 'listenToEvents') call.buffer(true).parse(readHead);
  if (token !== undefined) call.set('X-Auth-Token', token);
  return operation.body === 'none' ? call : call.send({});
}

// Operations without tokens refuse requests in their own way (small-protocols.test.ts).
const guarded = OPERATIONS.filter(({ access }) => access !== 'public' && access !== 'key');

describe.each(guarded)('$name (DNS API s5; D-ZONE-14)', (operation) => {
  it.each(Object.entries(REFUSED) as [Case, number][])(
    'DNS API s5: %s gets %i and changes nothing',
    async (which, status) => {
      const before = await countRows();
      const response = await send(operation, tokens.get(which));
      expect(response.status).toBe(status);
      expect(response.body).toMatchObject({
        code: status,
        type: status === 401 ? 'unauthorized' : 'forbidden',
      });
      expect(await countRows()).toEqual(before);
    },
  );
});

const forOperators = guarded.filter(({ access }) => access !== 'tenant');

describe.each(forOperators)('$name', (operation) => {
  it('is for operators: a tenant gets 403', async () => {
    const response = await send(operation, owner);
    expect(response.status).toBe(403);
    expect(response.body).toMatchObject({ type: 'forbidden' });
  });
});

const aboutOneObject = guarded.filter(
  ({ path, access }) => access === 'tenant' && path.includes('{') && !path.includes('{project_id}'),
);

describe.each(aboutOneObject)('$name (D-ZONE-12)', (operation) => {
  it("D-ZONE-12: another tenant's object gets 404 and stays unchanged", async () => {
    const before = await countRows();
    const response = await send(operation, stranger);
    expect(response.status).toBe(404);
    const type = operation.path.startsWith('/v2/') ? /_not_found$/ : /^(domain|peer)_not_found$/;
    expect((response.body as { type: string }).type).toMatch(type);
    expect(await countRows()).toEqual(before);
  });
});

describe("Another project's quotas (v2)", () => {
  it.each(guarded.filter(({ path }) => path.includes('{project_id}')))(
    '$name: only operators may see and change them',
    async (operation) => {
      const response = await send(operation, stranger);
      expect(response.status).toBe(403);
      expect(response.body).toMatchObject({ type: 'forbidden' });
    },
  );
});

describe("Another tenant's record, asked for through a domain of one's own (D-ZONE-12)", () => {
  let domainId = '';

  beforeAll(async () => {
    const response = await ask('post', '/v1/domains')
      .set('X-Auth-Token', stranger)
      .send({ name: 'strange.example.', email: 'a@example.com' })
      .expect(200);
    domainId = (response.body as { id: string }).id;
  });
  afterAll(async () => {
    await ask('delete', `/v1/domains/${domainId}`).set('X-Auth-Token', stranger).expect(200);
  });

  it.each(guarded.filter(({ path }) => /\{zone_id\}.*\{recordset_id\}|\{recordId\}/.test(path)))(
    "$name: another tenant's object gets 404, and stays unchanged",
    async (operation) => {
      const before = await countRows();
      const response = await send(operation, stranger, domainId);
      expect(response.status).toBe(404);
      expect(response.body).toMatchObject({
        type: operation.path.startsWith('/v2/') ? 'recordset_not_found' : 'record_not_found',
      });
      expect(await countRows()).toEqual(before);
    },
  );

  it.each(['update', 'delete'])('a batch that has to %s it gets 400', async (action) => {
    const before = await countRows();
    const record = action === 'update' ? { record: { ttl: 300 } } : {};
    const response = await ask('post', `/v1/domains/${domainId}/batch`)
      .set('X-Auth-Token', stranger)
      .send({ operations: [{ action, id: ids.recordId, ...record }] });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ errors: [{ path: 'operations[0].id' }] });
    expect(await countRows()).toEqual(before);
  });

  it('is not a valid marker in a list, and neither is the domain: 400', async () => {
    const markers = [
      `/v1/domains?marker=${ids.domainId}`,
      `/v1/domains/${domainId}/records?marker=${ids.recordId}`,
      `/v2/zones?marker=${ids.domainId}`,
      `/v2/zones/${domainId}/recordsets?marker=${ids.recordset_id}`,
      `/v2/recordsets?marker=${ids.recordset_id}`,
    ];
    for (const path of markers) {
      expect((await ask('get', path).set('X-Auth-Token', stranger)).status).toBe(400);
    }
  });
});

describe('Lists (D-ZONE-14)', () => {
  it('show nothing of another tenant', async () => {
    const response = await ask('get', '/v1/domains').set('X-Auth-Token', stranger);
    expect(response.body).toEqual({ domains: [] });
    const v2 = (path: string) => ask('get', path).set('X-Auth-Token', stranger);
    expect((await v2('/v2/zones')).body).toMatchObject({ zones: [] });
    expect((await v2('/v2/recordsets')).body).toMatchObject({ recordsets: [] });
    const own = await ask('get', '/v1/domains').set('X-Auth-Token', owner);
    expect((own.body as { domains: unknown[] }).domains).toHaveLength(1);
  });
});

describe('The needed tokens (DNS API s5)', () => {
  it('are the reason of the refusals: the owner is answered', async () => {
    const response = await send(
      guarded.find(({ name }) => name === 'Get Record')!,
      owner,
    );
    expect(response.status).toBe(200);
  });
});
