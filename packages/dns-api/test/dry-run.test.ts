import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { generateKeyringText } from '@zonewright/database';
import { createLogger } from '@zonewright/service-kit';
import { waitFor } from '@zonewright/testkit';
import type { Operation } from '../src/http/operation.js';
import type { Test } from 'supertest';
import { OPERATIONS } from '../src/operations.js';
import { DECLINED_OPERATIONS } from '../src/v2/declined/routes.js';
import {
  createDomain,
  createRecord,
  type DomainBody,
  type ErrorBody,
  freshName,
  readDomain,
  type RecordBody,
} from './support/fixtures.js';
import { addServers, reportAll } from './support/nameserver-reports.js';
import { useApi } from './support/use-api.js';

const lines: string[] = [];
const log = createLogger('dns-api', 'info', { write: (line) => void lines.push(line) });
const api = useApi({
  env: {
    DNS_API_MAX_DOMAINS: '1000',
    DNS_API_MAX_ZONE_TASKS: '1000',
    DNS_API_MAX_PEERS: '1000',
    DNS_API_SECONDARIES: 'false',
    TRANSFER_ENCRYPTION_KEYS: generateKeyringText('k1'),
  },
  overrides: {
    log,
    // Nothing is signed yet while it is asked for.
    signer: { sign: () => Promise.reject(new Error('nothing is to be signed here')) },
  },
});

let zone: DomainBody;
let deleted: DomainBody;
let record: RecordBody;
let recordsetId: string;
let firstSerial: number;
/** Values of the other parameters in paths. */
let ids: Readonly<Record<string, string>> = {};
let offerKey = '';

async function prepare(operation?: Operation): Promise<void> {
  // A top-level name that was made is one that other zones would have to be below.
  await api.db.raw('delete from dns.name_rules');
  zone = await createDomain(api);
  firstSerial = zone.serial;
  record = await createRecord(api, zone.id, newRecord('www'));
  const recordsets = await api.call('get', `/v2/zones/${zone.id}/recordsets?name=${record.name}`);
  recordsetId = (recordsets.body as { recordsets: { id: string }[] }).recordsets[0]?.id ?? '';
  // Else there is nothing to reset.
  await api.callAs('token-operator', 'patch', '/v2/quotas/tenant-c', { zones: 500 }).expect(200);
  deleted = await createDomain(api);
  await api.call('delete', `/v1/domains/${deleted.id}`).expect(200);
  ids = (await PREPARED[operation?.name ?? '']?.()) ?? {};
}

const newRecord = (label: string) => ({
  name: `${label}.${zone.name}`,
  type: 'A',
  data: '192.0.2.1',
});

const POOL = '794ccc2c-d751-44fe-b57f-8894c9f5c842';
const newTsigKey = () => ({
  name: freshName(),
  algorithm: 'hmac-sha256',
  secret: Buffer.alloc(32, 7).toString('base64'),
  scope: 'POOL',
  resource_id: POOL,
});
const zoneFile = () => {
  const name = freshName();
  return `$ORIGIN ${name}\n@ 3600 IN SOA ns1.example.org. admin.example.com. 1 2 3 4 5\nwww 300 IN A 192.0.2.1\n`;
};

async function make(path: string, body: object | string = {}, token = 'token-a') {
  const response = await sendBody(api.callAs(token, 'post', path), body);
  expect(response.status).toBeLessThan(300);
  return response.body as { id: string; key?: string };
}
const sendBody = (call: Test, body: object | string | undefined) =>
  typeof body === 'string' ? call.set('Content-Type', 'text/dns').send(body) : call.send(body);

const makeRule = (plural: string, body: object) => async () => ({
  ruleId: (await make(`/v2/${plural}`, body, 'token-operator')).id,
});
const makeTsigKey = async () => ({
  tsigKeyId: (await make('/v2/tsigkeys', newTsigKey(), 'token-operator')).id,
});
const makePeer = async () => ({ peerId: (await make('/v1/peers', { name: 'ours' })).id });
const PRIMARIES = { primaries: [{ address: '192.0.2.1' }], key: null };
async function makeEmpty() {
  await api.call('delete', `/v1/domains/${zone.id}/records/${record.id}`).expect(200);
  return {};
}
async function makeSecondary() {
  await makeEmpty();
  await api.call('put', `/v1/domains/${zone.id}/primaries`, PRIMARIES).expect(200);
  return {};
}
async function askForSigning() {
  await api.call('put', `/v1/domains/${zone.id}/dnssec`, { enabled: true }).expect(200);
  return {};
}
async function makeOffer() {
  const offer = await make(`/v2/zones/${zone.id}/tasks/transfer_requests`);
  offerKey = offer.key ?? '';
  return { transferRequestId: offer.id };
}

/** What there must be before, and its id as the path has it. */
const PREPARED: Readonly<Record<string, () => Promise<Readonly<Record<string, string>>>>> = {
  'Revert a Change': async () => ({ serial: String((await readDomain(api, zone.id)).serial) }),
  'Delete Zone Export (v2)': async () => ({
    exportId: (await make(`/v2/zones/${zone.id}/tasks/export`)).id,
  }),
  'Delete Zone Import (v2)': async () => ({
    importId: (await make('/v2/zones/tasks/imports', zoneFile())).id,
  }),
  'Update Zone Transfer Request (v2)': makeOffer,
  'Delete Zone Transfer Request (v2)': makeOffer,
  'Accept Zone Transfer (v2)': makeOffer,
  'Unshare Zone (v2)': async () => ({
    shareId: (await make(`/v2/zones/${zone.id}/shares`, { target_project_id: 'tenant-b' })).id,
  }),
  'Update Tld (v2)': makeRule('tlds', { name: 'example' }),
  'Delete Tld (v2)': makeRule('tlds', { name: 'example' }),
  'Update Blacklist (v2)': makeRule('blacklists', { pattern: '^bad' }),
  'Delete Blacklist (v2)': makeRule('blacklists', { pattern: '^bad' }),
  'Update TSIG Key (v2)': makeTsigKey,
  'Delete TSIG Key (v2)': makeTsigKey,
  'Set Primaries of a Domain': makeEmpty,
  'Delete Primaries of a Domain': makeSecondary,
  'Ask the Primaries of a Domain': makeSecondary,
  'Transfer Zone In (v2)': makeSecondary,
  'Update Peer': makePeer,
  'Delete Peer': makePeer,
  'Have a Domain Unsigned': askForSigning,
  'Replace the Key of a Domain': async () => {
    await askForSigning();
    await api.db.raw(
      `update dns.zone_dnssec as z set state = 'signed', signed_serial = d.serial
         from dns.domains as d where d.id = z.domain_id and d.id = ?`,
      [zone.id],
    );
    return {};
  },
};

/** A kept answer would hold the secret: these take no Idempotency-Key. */
const SECRET = new Set([
  'Create Zone Transfer Request (v2)',
  'Create TSIG Key (v2)',
  'Update TSIG Key (v2)',
  'Create Peer',
]);
/** They change what is kept about zones, but none of them. */
const ABOUT_ZONES =
  /quotas|peers|dnssec|tsigkeys|tlds|blacklists|shares|refresh|tasks\/(export|exports|transfer_requests|xfr)|imports\/\{/;

/** A request that each write would do. */
const BODIES: Readonly<Record<string, () => object | string | undefined>> = {
  'Create Domain': () => ({ name: freshName(), email: 'a@example.com' }),
  'Update Domain': () => ({ ttl: 60 }),
  'Delete Domain': () => undefined,
  'Create Record': () => newRecord('new'),
  'Update Record': () => ({ ttl: 60 }),
  'Delete Record': () => undefined,
  'Change Records in a Batch': () => ({
    operations: [
      { action: 'create', record: newRecord('batch') },
      { action: 'delete', id: record.id },
    ],
  }),
  'Restore a Domain': () => ({ serial: firstSerial }),
  'Undelete a Domain': () => undefined,
  'Revert a Change': () => undefined,
  'Import a Zone File': () => ({ zonefile: 'imported 60 IN A 192.0.2.7\n' }),
  'Import a Zone File as a New Domain': () => ({
    zonefile: 'imported 60 IN A 192.0.2.7\n',
    name: freshName(),
    email: 'a@example.com',
  }),
  'Have a Domain Signed': () => ({ enabled: true }),
  'Have a Domain Unsigned': () => undefined,
  'Replace the Key of a Domain': () => undefined,
  'Set Primaries of a Domain': () => PRIMARIES,
  'Delete Primaries of a Domain': () => undefined,
  'Ask the Primaries of a Domain': () => undefined,
  'Transfer Zone In (v2)': () => undefined,
  'Create Peer': () => ({ name: 'ours', domains: [zone.id] }),
  'Update Peer': () => ({ name: 'yours' }),
  'Delete Peer': () => undefined,
  'Create Zone (v2)': () => ({ name: freshName(), email: 'a@example.com' }),
  'Update Zone (v2)': () => ({ ttl: 60 }),
  'Delete Zone (v2)': () => undefined,
  'Create Recordset (v2)': () => ({
    name: `new.${zone.name}`,
    type: 'A',
    records: ['192.0.2.1', '192.0.2.2'],
  }),
  'Update Recordset (v2)': () => ({ records: ['192.0.2.2'] }),
  'Delete Recordset (v2)': () => undefined,
  'Set Quotas of a Project (v2)': () => ({ zones: 7 }),
  'Reset Quotas of a Project (v2)': () => undefined,
  'Create Zone Export (v2)': () => undefined,
  'Delete Zone Export (v2)': () => undefined,
  'Create Zone Import (v2)': zoneFile,
  'Delete Zone Import (v2)': () => undefined,
  'Create Zone Transfer Request (v2)': () => ({ description: 'moving' }),
  'Update Zone Transfer Request (v2)': () => ({ description: 'moved' }),
  'Delete Zone Transfer Request (v2)': () => undefined,
  'Accept Zone Transfer (v2)': () => ({
    key: offerKey,
    zone_transfer_request_id: ids['transferRequestId'],
  }),
  'Share Zone (v2)': () => ({ target_project_id: 'tenant-b' }),
  'Unshare Zone (v2)': () => undefined,
  'Create Tld (v2)': () => ({ name: 'example' }),
  'Update Tld (v2)': () => ({ description: 'known' }),
  'Delete Tld (v2)': () => undefined,
  'Create Blacklist (v2)': () => ({ pattern: '^bad' }),
  'Update Blacklist (v2)': () => ({ description: 'known' }),
  'Delete Blacklist (v2)': () => undefined,
  'Create TSIG Key (v2)': newTsigKey,
  'Update TSIG Key (v2)': () => ({ name: 'renamed' }),
  'Delete TSIG Key (v2)': () => undefined,
};

// What is declined is never done.
const declined = new Set(DECLINED_OPERATIONS.map(({ id }) => id));
// What nameservers relay is signed and done, or not: nobody tries it. Protocols of others know no trying.
const writes = OPERATIONS.filter(
  ({ method, id, access }) =>
    method !== 'GET' && access !== 'nameserver' && access !== 'key' && !declined.has(id),
);

function send(operation: Operation, query: string, body: object | string | undefined) {
  const { id } = operation.name === 'Undelete a Domain' ? deleted : zone;
  const path = operation.path
    .replace(/\{(domainId|zoneId)\}/, id)
    .replace('{recordId}', record.id)
    .replace('{recordsetId}', recordsetId)
    .replace('{projectId}', 'tenant-c')
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? ids['ruleId'] ?? '');
  const method = operation.method.toLowerCase() as Lowercase<Operation['method']>;
  const receives = operation.name.startsWith('Accept');
  const token =
    operation.access === 'tenant' ? (receives ? 'token-b' : 'token-a') : 'token-operator';
  return sendBody(api.callAs(token, method, `${path}${query}`), body);
}

/** Every table of the schema but what retention counts meanwhile: how many rows, and a sum over what they hold. */
async function dump(): Promise<Record<string, unknown>> {
  const { rows: tables } = await api.db.raw<{ rows: { name: string }[] }>(
    `select table_name as name from information_schema.tables
      where table_schema = 'dns' and table_type = 'BASE TABLE' and table_name not in ('history_counted', 'history_sizes')
      order by table_name`,
  );
  const sums = tables.map(
    ({ name }) =>
      `select '${name}' as name, count(*) as rows, sum(hashtextextended(t::text, 0)) as sum from dns.${name} as t`,
  );
  const { rows } = await api.db.raw<{ rows: { name: string }[] }>(sums.join(' union all '));
  return Object.fromEntries(rows.map((row) => [row.name, row]));
}

it('each operation that changes something is tried below', () => {
  expect(Object.keys(BODIES).sort()).toEqual(writes.map(({ name }) => name).sort());
});

describe.each(writes)('$name', (operation) => {
  let before: unknown;

  // For all of these: none of them does anything.
  beforeAll(async () => {
    await prepare(operation);
    before = await dump();
  });

  it.each([
    ['?dryrun=true', 'dryrun', 'additionalProperties'],
    ['?x', 'x', 'additionalProperties'],
    ['?DRY_RUN=true', 'DRY_RUN', 'additionalProperties'],
    ['?dry_run=false&dry_run=true', 'dry_run', 'unique'],
    ['?dry_run=yes', 'dry_run', 'type'],
    ['?dry_run=', 'dry_run', 'type'],
  ])('decisions 1.2: the query %s is 400, and nothing is done', async (query, path, validator) => {
    const response = await send(operation, query, BODIES[operation.name]?.());
    expect(response.status).toBe(400);
    expect((response.body as ErrorBody).errors).toMatchObject([{ path, validator }]);
    expect(await dump()).toEqual(before);
  });

  it('decisions 1.2: ?dry_run=true answers as the write would, changes no table and uses up no Idempotency-Key', async () => {
    const { status = 200 } = operation;
    const body = BODIES[operation.name]?.();
    const key: Record<string, string> = SECRET.has(operation.name)
      ? {}
      : { 'Idempotency-Key': freshName() };
    const tried = await send(operation, '?dry_run=true', body).set(key);
    expect({ status: tried.status, body: tried.body as unknown }).toMatchObject({ status });
    expect(tried.headers['x-zonewright-dry-run']).toBe('true');
    for (const name of ['etag', 'location', 'x-zonewright-serial']) {
      expect(tried.headers).not.toHaveProperty(name);
    }
    expect(await dump()).toEqual(before);

    const done = await send(operation, '?dry_run=false', body).set(key);
    expect(done.status).toBe(status);
    expect(done.headers).not.toHaveProperty('x-zonewright-dry-run');
    expect(Object.keys(tried.body as object)).toEqual(
      expect.arrayContaining(Object.keys(done.body as object)),
    );
    expect(await dump()).not.toEqual(before);
  });
});

describe.each(writes.filter(({ path }) => !ABOUT_ZONES.test(path)))('$name', (operation) => {
  it('decisions 3: the answer to a write has the serial of the domain', async () => {
    await prepare(operation);
    const response = await send(operation, '', BODIES[operation.name]?.());
    expect(response.status).toBe(operation.status ?? 200);
    const serial = Number(response.headers['x-zonewright-serial']);
    const { rows } = await api.db.raw<{ rows: { serial: number }[] }>(
      'select max(serial) as serial from dns.domains where changed_in = (select max(changed_in) from dns.domains)',
    );
    expect(serial).toBe(rows[0]?.serial);
    const changes = await api.db.raw<{ rows: unknown[] }>(
      'select id from dns.zone_changes where serial_after = ? and changed_in = (select max(changed_in) from dns.domains)',
      [serial],
    );
    expect(changes.rows).not.toEqual([]);
  });
});

describe('A dry run', () => {
  beforeEach(() => prepare());

  it('is refused as the write would be', async () => {
    const path = `/v1/domains/${zone.id}`;
    const records = `${path}/records`;
    const twin = await api.call('post', `${records}?dry_run=true`, newRecord('www'));
    expect(twin.status).toBe(409);
    const other = await api.callAs('token-b', 'delete', `${path}?dry_run=true`);
    expect(other.status).toBe(404);
    const old = await api.call('delete', `${path}?dry_run=true`).set('If-Match', '"1"');
    expect(old.status).toBe(412);
    expect(await readDomain(api, zone.id)).toMatchObject({ id: zone.id });
  });

  it('shows the domain as it would be, with the serial that it has', async () => {
    const { serial } = await readDomain(api, zone.id);
    const tried = await api.call('put', `/v1/domains/${zone.id}?dry_run=true`, { ttl: 7 });
    expect(tried.body).toMatchObject({ ttl: 7, serial });
    expect(await readDomain(api, zone.id)).toMatchObject({ ttl: zone.ttl, serial });
  });

  it('waits for no nameserver', async () => {
    await addServers(api.db);
    await reportAll(api.db);
    const tried = await api
      .call('put', `/v1/domains/${zone.id}?dry_run=true`, { ttl: 7 })
      .set('Prefer', 'wait=10');
    expect(tried.status).toBe(200);
    expect(tried.headers).not.toHaveProperty('preference-applied');
    expect(tried.headers).not.toHaveProperty('x-zonewright-published');
  });

  it('is named as one in the audit log', async () => {
    lines.length = 0;
    await api.call('delete', `/v1/domains/${zone.id}?dry_run=true`).expect(200);
    await api.call('delete', `/v1/domains/${zone.id}`).expect(200);
    const audit = () =>
      lines
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter(({ msg }) => msg === 'audit');
    await waitFor(() => audit().length === 2);
    expect(audit().map(({ dryRun }) => dryRun)).toEqual([true, undefined]);
  });
});
