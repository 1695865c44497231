import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@zonewright/testkit';
import { listRecentChanges } from '@zonewright/zones';
import { EventListener } from './support/event-listener.js';
import { withTokens } from './support/fake-tokens.js';
import {
  createDomain,
  createRecord,
  type DomainBody,
  type ErrorBody,
  freshName,
} from './support/fixtures.js';
import { useApi } from './support/use-api.js';

const RULE = { zone: '*', name: '*', types: ['A'], actions: ['read'] as const };
const api = useApi({
  env: { DNS_API_MAX_DOMAINS: '100' },
  overrides: {
    tokens: withTokens({
      'token-key': {
        userId: 'user-k',
        tenantId: 'tenant-a',
        roles: ['dns-admin'],
        key: { id: 'KEY', rules: [RULE], networks: [], massDelete: false },
      },
    }),
  },
});

interface Change {
  readonly id: number;
  readonly action: string;
  readonly serial_after: number;
  readonly user_id: string;
  readonly note?: string;
}
interface Changes {
  readonly changes: readonly Change[];
  readonly steps?: readonly { readonly serial_after: number }[];
  readonly history_begins: { readonly serial: number } | null;
}

const A = 'token-a';
const B = 'token-b';

async function history(token: string, zoneId: string, query = ''): Promise<Changes> {
  const path = `/v1/domains/${zoneId}/changes?extended=true${query}`;
  return (await api.callAs(token, 'get', path).expect(200)).body as Changes;
}

const actions = ({ changes }: Changes) => changes.map(({ action }) => action).toReversed();

async function add(token: string, zone: DomainBody, name: string): Promise<string> {
  const body = { name: `${name}.${zone.name}`, type: 'A', data: '192.0.2.1' };
  const response = await api
    .callAs(token, 'post', `/v1/domains/${zone.id}/records`, body)
    .set('X-Zonewright-Note', `secret of ${token}`)
    .expect(200);
  return (response.body as { id: string }).id;
}

async function hand(zone: DomainBody, from = A, to = B): Promise<number> {
  const path = `/v2/zones/${zone.id}/tasks/transfer_requests`;
  const offered = (await api.callAs(from, 'post', path, {}).expect(201)).body as {
    id: string;
    key: string;
  };
  const body = { zone_transfer_request_id: offered.id, key: offered.key };
  await api.callAs(to, 'post', '/v2/zones/tasks/transfer_accepts', body).expect(201);
  const moved = await api.callAs(to, 'get', `/v1/domains/${zone.id}`).expect(200);
  return (moved.body as DomainBody).serial;
}

/** Creates a zone with a record and a deleted one, and transfers it to B, which adds another record. */
async function handedZone() {
  const zone = await createDomain(api);
  await add(A, zone, 'stays');
  const deleted = await add(A, zone, 'gone');
  await api.call('delete', `/v1/domains/${zone.id}/records/${deleted}`).expect(200);
  const before = (await history(A, zone.id)).changes;
  const serial = await hand(zone);
  await add(B, zone, 'of-b');
  return { zone, before, serial };
}

describe('The history of a domain that went to another project', () => {
  it('begins with the transfer for the receiver, and shows no earlier changes', async () => {
    const { zone, serial } = await handedZone();
    const seen = await history(B, zone.id);
    expect(actions(seen)).toEqual(['domain-update', 'record-create']);
    expect(seen.history_begins?.serial).toBe(serial);
    const text = JSON.stringify(seen);
    for (const hidden of ['secret of token-a', 'user-a', 'gone'])
      expect(text).not.toContain(hidden);
    const grouped = await history(B, zone.id, '&group=serial');
    expect(grouped.steps?.map((step) => step.serial_after).at(-1)).toBe(serial);
    expect(JSON.stringify(grouped)).not.toContain('secret of token-a');
  });

  it.each(['name=gone.NAME', 'type=A&user_id=user-a', 'marker=MARKER', 'until=2100-01-01'])(
    'shows no earlier changes for %s, either',
    async (query) => {
      const { zone, before, serial } = await handedZone();
      const filled = query.replace('NAME', zone.name).replace('MARKER', String(before[0]?.id ?? 0));
      const { changes } = await history(B, zone.id, `&${filled}`);
      expect(changes.filter((change) => change.serial_after < serial)).toEqual([]);
    },
  );

  it('stays readable for the giver, and shows no later changes', async () => {
    const { zone, before } = await handedZone();
    const seen = await history(A, zone.id);
    expect(seen.changes).toEqual(before);
    expect(JSON.stringify(seen)).not.toContain('of-b');
    const page = await history(A, zone.id, '&limit=2');
    const rest = await history(A, zone.id, `&limit=10&marker=${page.changes.at(-1)?.id}`);
    expect([...page.changes, ...rest.changes]).toEqual(before);
    const serial = before[0]?.serial_after ?? 0;
    await api.call('post', `/v1/domains/${zone.id}/restore`, { serial }).expect(404);
    await api.call('post', `/v1/domains/${zone.id}/changes/${serial}/revert`).expect(404);
    await api.call('get', `/v1/domains/${zone.id}`).expect(404);
  });

  it('is visible neither to others, nor to a restricted key of the giver', async () => {
    const { zone } = await handedZone();
    const path = `/v1/domains/${zone.id}/changes`;
    expect((await api.callAs('token-operator', 'get', path)).status).toBe(404);
    expect((await api.callAs('token-key', 'get', path)).status).toBe(403);
  });

  it('restores at most the state of the transfer for the receiver', async () => {
    const { zone, before, serial } = await handedZone();
    const restore = (to: number) =>
      api.callAs(B, 'post', `/v1/domains/${zone.id}/restore`, { serial: to, confirm: true });
    const earlier = before[0]?.serial_after ?? 0;
    const refused = await restore(earlier).expect(400);
    expect((refused.body as ErrorBody).errors[0]?.message).toContain(`since serial ${serial}`);
    await api.callAs(B, 'post', `/v1/domains/${zone.id}/changes/${earlier}/revert`).expect(404);
    await restore(serial).expect(200);
    const records = await api.callAs(B, 'get', `/v1/domains/${zone.id}/records`).expect(200);
    const names = (records.body as { records: { name: string }[] }).records.map(({ name }) => name);
    expect(names).toEqual([`stays.${zone.name}`]);
  });

  it('lets the receiver revert a change of its own to an earlier record', async () => {
    const { zone } = await handedZone();
    const list = await api.callAs(B, 'get', `/v1/domains/${zone.id}/records`).expect(200);
    const stays = (list.body as { records: { id: string; name: string }[] }).records.find(
      ({ name }) => name.startsWith('stays.'),
    );
    const path = `/v1/domains/${zone.id}/records/${stays?.id}`;
    await api.callAs(B, 'delete', path).expect(200);
    const last = (await history(B, zone.id)).changes[0]?.serial_after;
    await api.callAs(B, 'post', `/v1/domains/${zone.id}/changes/${last}/revert`).expect(200);
    expect((await api.callAs(B, 'get', path)).status).toBe(200);
  });

  it('shows each owner only its own periods when a domain is transferred back and forth', async () => {
    const { zone, before, serial } = await handedZone();
    const back = await hand(zone, B, A);
    await add(A, zone, 'again');
    const own = await history(A, zone.id);
    expect(own.changes.slice(2)).toEqual(before);
    expect(own.changes.slice(0, 2).map((change) => change.serial_after)).toContain(back);
    expect(own.history_begins?.serial).toBe(back);
    const others = await history(B, zone.id);
    expect(others.changes.map((change) => change.serial_after)).toEqual(
      others.changes.map((change) => change.serial_after).filter((at) => at >= serial && at < back),
    );
    expect(actions(others)).toEqual(['domain-update', 'record-create']);
  });

  it('stays divided when the receiver deletes and restores the domain', async () => {
    const { zone, before } = await handedZone();
    await api.callAs(B, 'delete', `/v1/domains/${zone.id}`).expect(200);
    expect(actions(await history(B, zone.id))).toContain('domain-delete');
    expect((await history(A, zone.id)).changes).toEqual(before);
    await api.call('post', `/v1/domains/${zone.id}/undelete`).expect(404);
    await api.callAs(B, 'post', `/v1/domains/${zone.id}/undelete`).expect(200);
    expect(JSON.stringify(await history(B, zone.id))).not.toContain('secret of token-a');
  });

  it('is unavailable to the giver when retention has removed its part', async () => {
    const { zone, serial } = await handedZone();
    await api.db.raw('delete from dns.zone_changes where domain_id = ? and serial_after < ?', [
      zone.id,
      serial,
    ]);
    await api.call('get', `/v1/domains/${zone.id}/changes`).expect(404);
    expect(actions(await history(B, zone.id))).toEqual(['domain-update', 'record-create']);
  });

  it('sends a listener of the receiver no earlier events', async () => {
    const first = await new EventListener(api.url, B).listening();
    first.close();
    const { zone, serial } = await handedZone();
    const again = new EventListener(api.url, B, first.lastEventId);
    const serialsOf = () =>
      again
        .of('change')
        .filter(({ domain_id: id }) => id === zone.id)
        .map((change) => change['serial_after'] as number);
    const last = (await history(B, zone.id)).changes[0]?.serial_after ?? 0;
    await waitFor(() => serialsOf().includes(last));
    again.close();
    expect(serialsOf().filter((at) => at < serial)).toEqual([]);
  });
});

describe('An Idempotency-Key of before the transfer', () => {
  it('gets the giver 404, and the receiver nothing of it', async () => {
    const name = freshName();
    const create = (token: string) =>
      api
        .callAs(token, 'post', '/v1/domains', { name, email: 'a@example.com' })
        .set('Idempotency-Key', 'made-before');
    const zone = (await create(A).expect(200)).body as DomainBody;
    const record = { name: `www.${zone.name}`, type: 'A', data: '192.0.2.1' };
    const addAgain = (token: string) =>
      api
        .callAs(token, 'post', `/v1/domains/${zone.id}/records`, record)
        .set('Idempotency-Key', 'record-before');
    await addAgain(A).expect(200);
    await addAgain(A).expect(200);
    await hand(zone);
    expect((await create(A)).status).toBe(409);
    expect((await addAgain(A)).status).toBe(404);
    expect((await addAgain(B)).status).toBe(409);
  });
});

it('a check of a domain mentions no changes before its transfer', async () => {
  const zone = await createDomain(api);
  const made = await createRecord(api, zone.id, {
    name: `left.${zone.name}`,
    type: 'A',
    data: '192.0.2.1',
    ttl: 86_400,
  });
  await api.call('delete', `/v1/domains/${zone.id}/records/${made.id}`).expect(200);
  expect(await listRecentChanges(api.db, zone.id)).toHaveLength(2);
  await hand(zone);
  expect(await listRecentChanges(api.db, zone.id)).toEqual([]);
});
