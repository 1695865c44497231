import { beforeAll, describe, expect, it } from '@jest/globals';
import { activateService, FakeClock } from '@zonewright/testkit';
import { randomUUID } from 'node:crypto';
import type { Operation } from '../src/http/operation.js';
import { OPERATIONS } from '../src/operations.js';
import { patientRequest } from './support/patient-request.js';
import { readHead } from './support/read-head.js';
import { usePlatform } from './support/use-platform.js';

/**
 * The column "restricted" of the isolation matrix. Each operation is called with the token of a restricted access key,
 * whose rule either matches the operation's record or differs in one property. A new operation needs a new row.
 */
const clock = new FakeClock();
const platform = usePlatform({
  identityClock: clock,
  env: () => ({ TRUST_PROXY: '1', DNS_API_MAX_DOMAIN_RECORDS: '10000' }),
});

type Ask = ReturnType<typeof patientRequest>;
const ask: Ask = (...call) => patientRequest(platform.dnsUrl)(...call);
const askIdentity: Ask = (...call) => patientRequest(platform.identityUrl)(...call);

const NETWORK = '192.0.2.0/24';
const INSIDE = '192.0.2.7';
const ZONE = 'isolated.example.';
const RULE = { zone: ZONE, name: 'www', types: ['A'], actions: ['read', 'update'] };

/** The differences between the key's rule and the record or the request. */
const CASES = [
  'in rule',
  'other name',
  'other type',
  'other zone',
  'other tenant',
  'read only',
  'update only',
  'other network',
  'expired',
  'inactive',
] as const;
type Case = (typeof CASES)[number];

type Statuses = Readonly<Partial<Record<Case, number>>> & { readonly 'in rule': number };

interface Target {
  readonly zoneId: string;
  readonly recordId: string;
  readonly recordsetId: string;
  readonly serial: string;
}

interface Row {
  readonly statuses: Statuses;
  readonly body?: (target: Target) => object;
  /** v2 has one recordset for each name and type, so the body describes a recordset that does not exist. */
  readonly isNew?: true;
}

/** The statuses of operations on a zone, which do not depend on names and types of records. */
const ABOUT_ZONE: Statuses = { 'in rule': 200, 'other zone': 404, 'other tenant': 404 };
/** The status of lists, which are never refused and contain the objects that the rule allows to be read (SHOWN). */
const LIST: Statuses = { 'in rule': 200 };
const NEW_RECORD: Statuses = {
  ...ABOUT_ZONE,
  'other name': 403,
  'other type': 403,
  'read only': 403,
};
const STORED_RECORD: Statuses = { ...ABOUT_ZONE, 'other name': 404, 'other type': 404 };
const CHANGED_RECORD: Statuses = { ...STORED_RECORD, 'read only': 403 };

/** The statuses of changes in v2, which are accepted with 202. */
const CHANGED_RECORDSET: Statuses = { ...CHANGED_RECORD, 'in rule': 202 };
const BATCH: Statuses = { ...CHANGED_RECORD, 'other name': 400, 'other type': 400 };

let addresses = 0;
/** Returns an address that no record has yet. */
const address = () => {
  addresses += 1;
  return `10.0.${addresses >> 8}.${addresses & 255}`;
};

const BY_RULES: Readonly<Record<string, Row>> = {
  getDomain: { statuses: ABOUT_ZONE },
  listDomains: { statuses: LIST },
  listServersOfDomain: { statuses: ABOUT_ZONE },
  listenToEvents: { statuses: LIST },
  getPublication: { statuses: ABOUT_ZONE },
  listRecords: { statuses: ABOUT_ZONE },
  getRecord: { statuses: STORED_RECORD },
  createRecord: {
    statuses: NEW_RECORD,
    body: () => ({ name: `www.${ZONE}`, type: 'A', data: address() }),
  },
  updateRecord: { statuses: CHANGED_RECORD, body: () => ({ ttl: 300 }) },
  deleteRecord: { statuses: CHANGED_RECORD },
  changeRecords: {
    statuses: BATCH,
    body: ({ recordId }) => ({
      operations: [{ action: 'update', id: recordId, record: { ttl: 600 } }],
    }),
  },
  getZone: { statuses: ABOUT_ZONE },
  listZones: { statuses: LIST },
  listZoneNameservers: { statuses: ABOUT_ZONE },
  listRecordsets: { statuses: ABOUT_ZONE },
  listAllRecordsets: { statuses: LIST },
  getRecordset: { statuses: STORED_RECORD },
  findRecordset: { statuses: { ...STORED_RECORD, 'in rule': 301 } },
  createRecordset: {
    statuses: { ...NEW_RECORD, 'in rule': 202 },
    body: () => ({ name: `www.${ZONE}`, type: 'A', records: [address()] }),
    isNew: true,
  },
  updateRecordset: { statuses: CHANGED_RECORDSET, body: () => ({ records: [address()] }) },
  deleteRecordset: { statuses: CHANGED_RECORDSET },
};

/** The cases in which lists contain the object, provided that they are answered. */
const SHOWN: Readonly<Record<string, readonly Case[]>> = {
  listDomains: ['in rule', 'other name', 'other type', 'read only', 'update only'],
  listRecords: ['in rule', 'read only'],
  listZones: ['in rule', 'other name', 'other type', 'read only', 'update only'],
  listRecordsets: ['in rule', 'read only'],
  listAllRecordsets: ['in rule', 'read only'],
};

interface Key {
  readonly accessKeyId: string;
  readonly secretKey: string;
}

const tokens = new Map<Case, string>();
let owner = '';
let zoneId = '';

async function createKey(change: object, restrictions: object = {}, rest: object = {}) {
  const response = await askIdentity('post', '/v2.0/EXT-IDM/v1.0/accesskeys')
    .set('X-Auth-Token', owner)
    .send({
      accessKey: {
        ...rest,
        otherAttributes: { restrictions: { rules: [{ ...RULE, ...change }], ...restrictions } },
      },
    })
    .expect(201);
  return (response.body as { accessKey: Key }).accessKey;
}

async function logIn({ accessKeyId: accessKey, secretKey }: Key): Promise<string> {
  const response = await askIdentity('post', '/v2.0/tokens')
    .set('X-Forwarded-For', INSIDE)
    .send({ auth: { apiAccessKeyCredentials: { accessKey, secretKey } } })
    .expect(200);
  return (response.body as { access: { token: { id: string } } }).access.token.id;
}

beforeAll(async () => {
  const { world, db } = platform;
  const { secondTenant } = world;
  await activateService(db, { tenantId: secondTenant.id, serviceId: world.serviceIds.dns });
  owner = await platform.login(world.user, world.tenant.id);

  const expiring = await createKey({}, {}, { validTo: clock.now() + 60_000 });
  tokens.set('expired', await logIn(expiring));
  clock.advance(60_000);
  tokens.set('in rule', await logIn(await createKey({}, { networks: [NETWORK] })));
  tokens.set('other name', await logIn(await createKey({ name: 'mail' })));
  tokens.set('other type', await logIn(await createKey({ types: ['TXT'] })));
  tokens.set('other zone', await logIn(await createKey({ zone: 'other.example.' })));
  tokens.set('other tenant', await logIn(await createKey({}, { tenantId: secondTenant.id })));
  tokens.set('read only', await logIn(await createKey({ actions: ['read'] })));
  tokens.set('update only', await logIn(await createKey({ actions: ['update'] })));
  tokens.set('other network', tokens.get('in rule') ?? '');
  const inactive = await createKey({});
  tokens.set('inactive', await logIn(inactive));
  await askIdentity('put', `/v2.0/EXT-IDM/v1.0/accesskeys/${inactive.accessKeyId}`)
    .set('X-Auth-Token', owner)
    .send({ accessKey: { status: 'inactive' } })
    .expect(200);

  const domain = await ask('post', '/v1/domains')
    .set('X-Auth-Token', owner)
    .send({ name: ZONE, email: 'a@example.com' })
    .expect(200);
  zoneId = (domain.body as { id: string }).id;
});

async function newTarget(): Promise<Target> {
  const response = await ask('post', `/v1/domains/${zoneId}/records`)
    .set('X-Auth-Token', owner)
    .send({ name: `www.${ZONE}`, type: 'A', data: address() })
    .expect(200);
  const recordId = (response.body as { id: string }).id;
  const { rows } = await platform.db.raw<{ rows: { id: string }[] }>(
    'select dns.recordset_id(r.domain_id, r.name, r.type) as id from dns.records as r where r.id = ?',
    [recordId],
  );
  const serial = String(response.headers['x-zonewright-serial']);
  return { zoneId, recordId, recordsetId: rows[0]?.id ?? '', serial };
}

async function removeRecordset({ recordsetId }: Target): Promise<void> {
  await ask('delete', `/v2/zones/${zoneId}/recordsets/${recordsetId}`)
    .set('X-Auth-Token', owner)
    .expect(202);
}

/** A target that the last call did not change. */
let untouched: { readonly target: Target; readonly isNew: boolean } | undefined;

async function takeTarget({ id }: Operation): Promise<Target> {
  const isNew = BY_RULES[id]?.isNew === true;
  const left = untouched;
  untouched = undefined;
  if (left?.isNew === isNew) return left.target;
  const target = await newTarget();
  if (isNew) await removeRecordset(target);
  return target;
}

function keepTarget({ id }: Operation, target: Target): void {
  untouched = { target, isNew: BY_RULES[id]?.isNew === true };
}

async function send(operation: Operation, which: Case, target: Target, query = '') {
  const path = operation.path
    .replace(/\{(domainId|zone_id)\}/, target.zoneId)
    .replace('{recordId}', target.recordId)
    .replace('{recordset_id}', target.recordsetId)
    .replace('{serial}', target.serial);
  const method = operation.method.toLowerCase() as Lowercase<Operation['method']>;
  const call = ask(method, path + query)
    .set('X-Auth-Token', tokens.get(which) ?? '')
    .set('X-Forwarded-For', which === 'other network' ? '198.51.100.1' : INSIDE);
  if (operation.id === 'listenToEvents') call.buffer(true).parse(readHead);
  const row = BY_RULES[operation.id];
  return await (operation.body === 'none' ? call : call.send(row?.body?.(target) ?? {}));
}

/** Returns all data that could change. */
async function rowsNow(): Promise<unknown> {
  const { rows } = await platform.db.raw<{ rows: unknown[] }>(
    `select (select sum(hashtextextended(d::text, 0)) from dns.domains as d) as domains,
            (select sum(hashtextextended(r::text, 0)) from dns.records as r) as records,
            (select count(*) from dns.zone_changes) as changes`,
  );
  return rows;
}

function expectedStatus({ id, access }: Operation, which: Case): number {
  // No such caller is a nameserver.
  if (access === 'nameserver' && which === 'other network') return 403;
  if (which === 'other network' || which === 'expired' || which === 'inactive') return 401;
  const row = BY_RULES[id];
  return row === undefined ? 403 : (row.statuses[which] ?? row.statuses['in rule']);
}

interface Lists extends Readonly<Record<string, unknown>> {
  readonly metadata?: { readonly total_count?: number };
}

/** Returns the ids in a list, by the name of its member, and the reported total. */
function listOf({ metadata, ...body }: Lists) {
  const lists = Object.entries(body).filter(([, value]) => Array.isArray(value));
  const listed = Object.fromEntries(
    lists.map(([name, items]) => [name, (items as { id: string }[]).map(({ id }) => id)]),
  );
  return { listed, count: metadata?.total_count };
}

// Operations without tokens refuse requests in their own way (small-protocols.test.ts).
const guarded = OPERATIONS.filter(({ access }) => access !== 'public' && access !== 'key');

describe('Restricted access keys', () => {
  it('every operation that rules can allow has a row', () => {
    const byRules = guarded.filter(({ restricted }) => restricted === 'by-rules');
    expect(byRules.map(({ id }) => id).sort()).toEqual(Object.keys(BY_RULES).sort());
  });
});

describe.each(guarded)('$name, restricted', (operation) => {
  it.each(CASES)('%s', async (which) => {
    const target = await takeTarget(operation);
    const before = await rowsNow();
    const response = await send(operation, which, target);
    const status = expectedStatus(operation, which);
    expect([which, response.status, status === 200 ? '' : response.text]).toEqual([
      which,
      status,
      expect.anything(),
    ]);
    if (status >= 400 || operation.method === 'GET') {
      expect(await rowsNow()).toEqual(before);
      keepTarget(operation, target);
    }
    const shown = SHOWN[operation.id];
    if (shown !== undefined && status === 200) {
      const { listed, count } = listOf(response.body as Lists);
      const isShown = shown.includes(which);
      const { zoneId: zone, recordId, recordsetId } = target;
      const wanted = { domains: zone, zones: zone, records: recordId, recordsets: recordsetId };
      expect([which, ...Object.entries(listed)]).toEqual([
        which,
        ...Object.entries(wanted).flatMap(([member, id]) =>
          member in listed ? [[member, isShown ? expect.arrayContaining([id]) : []]] : [],
        ),
      ]);
      // Hidden objects are not counted either.
      if (!isShown) expect(count ?? 0).toBe(0);
    }
  });
});

const writes = guarded.filter(
  ({ restricted, method }) => restricted === 'by-rules' && method !== 'GET',
);

describe.each(writes)('$name, tried only', (operation) => {
  it.each(['other name', 'other type', 'other zone', 'read only'] as const)(
    'a dry run is refused like the request: %s',
    async (which) => {
      const target = await takeTarget(operation);
      const response = await send(operation, which, target, '?dry_run=true');
      const status = expectedStatus(operation, which);
      // The dry run of a batch shows which of its items would be refused.
      expect(response.status).toBe(status === 400 ? 200 : status);
      keepTarget(operation, target);
      if (status === 400) expect(response.text).toContain('There is no record with this id');
    },
  );
});

describe('What a rule does not say', () => {
  const api = (method: 'get' | 'post' | 'put' | 'delete', path: string, token: string) =>
    ask(method, path).set('X-Auth-Token', token).set('X-Forwarded-For', INSIDE);
  const inRule = () => tokens.get('in rule') ?? '';

  it('a record cannot be moved to a name, or given a type, that is outside the rules', async () => {
    const { recordId } = await newTarget();
    const path = `/v1/domains/${zoneId}/records/${recordId}`;
    const renamed = await api('put', path, inRule()).send({ name: `mail.${ZONE}` });
    expect(renamed.status).toBe(403);
    const retyped = await api('put', path, inRule()).send({ type: 'TXT', data: 'x' });
    expect(retyped.status).toBe(403);
  });

  it('does not reveal by another error that a record exists', async () => {
    const hidden = { name: `hidden.${ZONE}`, type: 'A', data: '192.0.2.1' };
    await api('post', `/v1/domains/${zoneId}/records`, owner).send(hidden).expect(200);
    for (const data of ['192.0.2.1', '192.0.2.2']) {
      const response = await api('post', `/v1/domains/${zoneId}/records`, inRule()).send({
        ...hidden,
        data,
      });
      expect(response.status).toBe(403);
    }
  });

  it('neither a list that was cached for others, nor their stored response is given to it', async () => {
    await newTarget();
    await api('post', `/v1/domains/${zoneId}/records`, owner)
      .send({ name: `kept.${ZONE}`, type: 'A', data: '192.0.2.9' })
      .expect(200);
    const path = `/v1/domains/${zoneId}/records`;
    for (const token of [owner, owner, inRule()]) {
      const answer = await api('get', path, token).expect(200);
      const names = (answer.body as { records: { name: string }[] }).records.map(
        ({ name }) => name,
      );
      expect(names.includes(`kept.${ZONE}`)).toBe(token === owner);
    }
    const sent = { name: `once.${ZONE}`, type: 'A', data: '192.0.2.3' };
    const key = randomUUID();
    await api('post', path, owner).set('Idempotency-Key', key).send(sent).expect(200);
    await api('post', path, inRule()).set('Idempotency-Key', key).send(sent).expect(400);
  });

  it('filters and pages of a list stay within the rules', async () => {
    const { recordId } = await newTarget();
    const path = `/v1/domains/${zoneId}/records`;
    const none = await api('get', `${path}?name=kept.${ZONE}`, inRule()).expect(200);
    expect(none.body).toEqual({ records: [] });
    const page = await api('get', `${path}?limit=1000&type=A`, inRule()).expect(200);
    const ids = (page.body as { records: { id: string }[] }).records.map(({ id }) => id);
    expect(ids).toContain(recordId);
    const kept = await api('get', `${path}?name=kept.${ZONE}`, owner).expect(200);
    const [{ id: marker } = { id: '' }] = (kept.body as { records: { id: string }[] }).records;
    await api('get', `${path}?marker=${marker}`, inRule()).expect(400);
  });

  it('many records cannot be removed at once, even with a confirmation, unless the key may', async () => {
    const operations: object[] = [];
    while (operations.length < 12)
      operations.push({ action: 'delete', id: (await newTarget()).recordId });
    const path = `/v1/domains/${zoneId}/batch`;
    const sent = { operations, confirm: true };
    expect((await api('post', path, inRule()).send(sent)).status).toBe(403);
    const allowed = await logIn(await createKey({}, { massDelete: true }));
    expect((await api('post', path, allowed).send(sent)).status).toBe(200);
  });

  it('a key without rules can do everything in its tenant that its user may, and nothing for operators', async () => {
    const token = await logIn(await createKey({}, { rules: undefined }));
    const created = await api('post', '/v1/domains', token).send({
      name: 'whole.example.',
      email: 'a@example.com',
    });
    expect(created.status).toBe(200);
    expect((await api('get', '/v1/nameservers', token)).status).toBe(403);
  });

  it('v2: a conflict does not reveal a recordset outside the rules, which cannot be created', async () => {
    await newTarget();
    await api('post', `/v1/domains/${zoneId}/records`, owner)
      .send({ name: `there.${ZONE}`, type: 'A', data: '192.0.2.1' })
      .expect(200);
    for (const name of ['there', 'absent']) {
      const response = await api('post', `/v2/zones/${zoneId}/recordsets`, inRule()).send({
        name: `${name}.${ZONE}`,
        type: 'A',
        records: ['192.0.2.2'],
      });
      expect([name, response.status, response.body]).toMatchObject([
        name,
        403,
        { type: 'forbidden' },
      ]);
    }
    const again = { name: `www.${ZONE}`, type: 'A', records: ['192.0.2.2'] };
    const twice = await api('post', `/v2/zones/${zoneId}/recordsets`, inRule()).send(again);
    expect(twice.status).toBe(409);
  });

  it('v2: filters, pages and counts of a list stay within the rules', async () => {
    const { recordsetId } = await newTarget();
    await api('post', `/v1/domains/${zoneId}/records`, owner)
      .send({ name: `apart.${ZONE}`, type: 'A', data: '192.0.2.9' })
      .expect(200);
    const listed = async (token: string, query: string, path = `zones/${zoneId}/recordsets`) => {
      const response = await api('get', `/v2/${path}?${query}`, token).expect(200);
      return listOf(response.body as Lists);
    };
    const apart = await listed(owner, `name=apart.${ZONE}`);
    const [marker = ''] = apart.listed['recordsets'] ?? [];
    expect(marker).not.toBe('');
    // The count once covered all objects; now it covers those that the caller may see.
    expect((await listed(owner, '')).count).toBeGreaterThan(1);
    for (const order of ['name', 'created_at']) {
      for (const direction of ['asc', 'desc']) {
        const query = `sort_key=${order}&sort_dir=${direction}`;
        expect(await listed(inRule(), query)).toEqual({
          listed: { recordsets: [recordsetId] },
          count: 1,
        });
      }
    }
    expect(await listed(inRule(), `name=apart.${ZONE}`)).toEqual({
      listed: { recordsets: [] },
      count: 0,
    });
    expect((await listed(inRule(), 'data=*', 'recordsets')).listed).toEqual({
      recordsets: [recordsetId],
    });
    for (const path of [`zones/${zoneId}/recordsets`, 'recordsets']) {
      await api('get', `/v2/${path}?marker=${marker}`, inRule()).expect(400);
    }
    const other = await api('post', '/v1/domains', owner)
      .send({ name: 'unseen.example.', email: 'a@example.com' })
      .expect(200);
    const { id } = other.body as { id: string };
    await api('get', `/v2/zones?marker=${id}`, inRule()).expect(400);
    expect(await listed(inRule(), 'name=*', 'zones')).toEqual({
      listed: { zones: [zoneId] },
      count: 1,
    });
  });

  it('v2: SOA and NS of the zone are shown if a rule allows it, but cannot be changed', async () => {
    const listed = async (token: string) => {
      const path = `/v2/zones/${zoneId}/recordsets`;
      const response = await api('get', path, token).expect(200);
      return (response.body as { recordsets: { id: string; name: string; type: string }[] })
        .recordsets;
    };
    const soa = (await listed(owner)).find(({ type }) => type === 'SOA');
    const rule = { name: '@', types: ['SOA', 'NS'] };
    const token = await logIn(await createKey(rule));
    const shown = (await listed(token)).map(({ type }) => type);
    expect(shown).toContain('SOA');
    expect(shown.filter((type) => type !== 'SOA' && type !== 'NS')).toEqual([]);
    const path = `/v2/zones/${zoneId}/recordsets/${soa?.id ?? ''}`;
    expect((await api('get', path, inRule())).status).toBe(404);
    expect((await api('delete', path, inRule())).status).toBe(404);
    expect((await api('delete', path, token)).status).toBe(400);
  });

  it('v2: in a zone that is shared with its tenant, a key has the rights of its rules', async () => {
    const { recordsetId } = await newTarget();
    const target_project_id = platform.world.secondTenant.id;
    const shared = await api('post', `/v2/zones/${zoneId}/shares`, owner)
      .send({ target_project_id })
      .expect(201);
    const path = `/v2/zones/${zoneId}/recordsets`;
    const other = tokens.get('other tenant') ?? '';
    const listed = await api('get', path, other).expect(200);
    expect(listOf(listed.body as Lists)).toEqual({
      listed: { recordsets: [recordsetId] },
      count: 1,
    });
    const draft = { name: `no.${ZONE}`, type: 'A', records: ['192.0.2.1'] };
    expect((await api('post', path, other).send(draft)).status).toBe(403);
    const elsewhere = await logIn(
      await createKey({ zone: 'other.example.' }, { tenantId: target_project_id }),
    );
    expect((await api('get', path, elsewhere)).status).toBe(404);
    const zones = await api('get', '/v2/zones', elsewhere).expect(200);
    expect(listOf(zones.body as Lists)).toEqual({ listed: { zones: [] }, count: 0 });
    const { id } = shared.body as { id: string };
    await api('delete', `/v2/zones/${zoneId}/shares/${id}`, owner).expect(204);
  });
});
