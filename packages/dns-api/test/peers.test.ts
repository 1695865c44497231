import { describe, expect, it } from '@jest/globals';
import {
  generateKeyringText,
  parseKeyring,
  savePeerReports,
  secretIdentity,
} from '@zonewright/database';
import { listPeerStates } from '@zonewright/zones';
import { createDomain, type ErrorBody } from './support/fixtures.js';
import { useApi } from './support/use-api.js';

const keyringText = generateKeyringText('k1');
const api = useApi({ env: { TRANSFER_ENCRYPTION_KEYS: keyringText, DNS_API_MAX_PEERS: '20' } });
const few = useApi({ env: { TRANSFER_ENCRYPTION_KEYS: keyringText, DNS_API_MAX_PEERS: '1' } });
const bare = useApi();

interface PeerBody {
  readonly id: string;
  readonly key: { readonly name: string; readonly secret: string | null };
}

async function makePeer(members: object = {}): Promise<PeerBody> {
  const made = await api.call('post', '/v1/peers', { name: 'ours', ...members }).expect(200);
  return made.body as PeerBody;
}

async function readCatalogSerial(id: string): Promise<number | undefined> {
  const { rows } = await api.db.raw<{ rows: { serial: number }[] }>(
    'select catalog_serial as serial from dns.peers where id = ?',
    [id],
  );
  return rows[0]?.serial;
}

describe('Peers', () => {
  it('are created with a key whose secret is shown once and sealed, listed, changed and deleted', async () => {
    const zone = await createDomain(api);
    const content = {
      name: 'our secondaries',
      networks: ['192.0.2.0/24', '2001:db8::5/128'],
      notify: [
        { address: '198.51.100.1', port: 5353 },
        { address: '2001:db8::5', port: 53 },
      ],
      domains: [zone.id],
      catalog: true,
    };
    const peer = await makePeer({ ...content, algorithm: 'hmac-sha512' });
    const one = `/v1/peers/${peer.id}`;
    expect(peer).toMatchObject({
      ...content,
      catalog_zone: `${peer.id}.catalog.invalid.`,
      key: { name: `peer-${peer.id}.`, algorithm: 'hmac-sha512' },
      updated_at: null,
    });
    const { rows } = await api.db.raw<{ rows: { sealed: Buffer; keyId: string }[] }>(
      'select secret_sealed as sealed, secret_key_id as "keyId" from dns.peers where id = ?',
      [peer.id],
    );
    const opened = parseKeyring(keyringText).open(rows[0]!, secretIdentity.peerKey(peer.id));
    expect(opened.toString('base64')).toBe(peer.key.secret);
    const shown = { ...peer, key: { ...peer.key, secret: null } };
    expect((await api.call('get', one).expect(200)).body).toEqual(shown);
    const listed = await api.call('get', '/v1/peers').expect(200);
    expect((listed.body as { peers: unknown[] }).peers).toContainEqual(shown);
    const changed = await api.call('put', one, { ...shown, domains: null, notify: [] });
    expect(changed.body).toMatchObject({ name: 'our secondaries', domains: null, notify: [] });
    await api.call('delete', one).expect(200);
    expect((await api.call('get', one).expect(404)).body).toMatchObject({ type: 'peer_not_found' });
  });

  it.each([
    ['name', { name: '' }],
    ['networks', { networks: ['192.0.2.1/24'] }],
    ['networks', { networks: '192.0.2.0/24' }],
    ['notify', { notify: ['192.0.2.1'] }],
    ['notify', { notify: [{ address: 'ns.example.com' }] }],
    ['notify', { notify: [{ address: '198.51.100.1', port: 0 }] }],
    ['notify', { notify: [{ address: '127.0.0.1' }] }],
    ['notify', { notify: [{ address: '10.1.2.3' }] }],
    ['notify', { notify: [{ address: '::ffff:192.168.0.1' }] }],
    ['notify', { notify: [{ address: '255.255.255.255' }] }],
    ['domains', { domains: ['x'] }],
    ['catalog', { catalog: 'yes' }],
    ['algorithm', { algorithm: 'hmac-md5' }],
    ['secret', { secret: 'c2VjcmV0' }],
  ])('explain the error of %s', async (path, members) => {
    const refused = await api.call('post', '/v1/peers', { name: 'ours', ...members }).expect(400);
    expect((refused.body as ErrorBody).errors).toMatchObject([{ path }]);
  });

  it("accept no other tenant's domain", async () => {
    const zone = await createDomain(api, {}, 'token-b');
    const refused = await api.call('post', '/v1/peers', { name: 'ours', domains: [zone.id] });
    expect(refused.body).toMatchObject({ code: 400, errors: [{ path: 'domains' }] });
  });

  it('have a limit, and need the keyring', async () => {
    await few.call('post', '/v1/peers', { name: 'first' }).expect(200);
    expect((await few.call('post', '/v1/peers', { name: 'second' })).status).toBe(413);
    expect((await bare.call('post', '/v1/peers', { name: 'first' })).status).toBe(403);
  });

  it("a catalog's serial increases when a domain is created, deleted or restored, and not when it changes", async () => {
    const peer = await makePeer({ catalog: true });
    const first = (await readCatalogSerial(peer.id)) ?? 0;
    const zone = await createDomain(api);
    expect(await readCatalogSerial(peer.id)).toBe(first + 1);
    await api.call('put', `/v1/domains/${zone.id}`, { ttl: 77 }).expect(200);
    expect(await readCatalogSerial(peer.id)).toBe(first + 1);
    await api.call('delete', `/v1/domains/${zone.id}`).expect(200);
    expect(await readCatalogSerial(peer.id)).toBe(first + 2);
    await createDomain(api, {}, 'token-b');
    expect(await readCatalogSerial(peer.id)).toBe(first + 2);
  });
});

describe('The peers of a domain', () => {
  it('are those that may transfer the domain, with their serials and responses to NOTIFY', async () => {
    const zone = await createDomain(api);
    const other = await createDomain(api);
    const peer = await makePeer({ domains: [zone.id] });
    await api.db.raw(
      `insert into dns.peer_status (peer_id, domain_id, serial, asked_at, notified_serial, notify_answer, notified_at)
       values (?, ?, ?, now(), ?, 'NOERROR', now())`,
      [peer.id, zone.id, zone.serial - 1, zone.serial],
    );
    const states = async (id: string) => {
      const response = await api.call('get', `/v1/domains/${id}/peers`).expect(200);
      const { peers } = response.body as { peers: { id: string }[] };
      return peers.filter(({ id: of }) => of === peer.id);
    };
    const [state, ...rest] = await states(zone.id);
    expect(rest).toEqual([]);
    expect(state).toMatchObject({
      serial: zone.serial - 1,
      notified_serial: zone.serial,
      notify_answer: 'NOERROR',
    });
    expect((state as unknown as { lag_seconds: number }).lag_seconds).toBeGreaterThanOrEqual(0);
    expect(await states(other.id)).toEqual([]);
  });

  it('are findings of a check after they have been behind for more than a minute', async () => {
    const zone = await createDomain(api);
    const peer = await makePeer({ name: 'slow ones', domains: [zone.id] });
    await api.db.raw(
      'insert into dns.peer_status (peer_id, domain_id, serial, asked_at) values (?, ?, ?, now())',
      [peer.id, zone.id, zone.serial - 1],
    );
    await api.db.raw(
      `update dns.domains set updated_at = now() - interval '5 minutes' where id = ?`,
      [zone.id],
    );
    const { body } = (await api.call('get', `/v1/domains/${zone.id}/check`).expect(200)) as {
      body: { findings: { code: string; message: string }[] };
    };
    const [finding] = body.findings.filter(({ code }) => code === 'secondary-behind');
    expect(finding?.message).toContain('"slow ones"');
  });

  it('are findings of a check at once if this service refuses the domain, with the reason', async () => {
    const zone = await createDomain(api);
    const peer = await makePeer({ name: 'refused ones', domains: [zone.id] });
    const report = { peerId: peer.id, zone: zone.name };
    const problem = `the record large.${zone.name} TXT of 65000 bytes does not fit into a message`;
    const messages = async () => {
      const { body } = (await api.call('get', `/v1/domains/${zone.id}/check`).expect(200)) as {
        body: { findings: { code: string; message: string }[] };
      };
      return body.findings
        .filter(({ code }) => code === 'secondary-behind')
        .map(({ message }) => message);
    };
    await savePeerReports(api.db, [{ ...report, serial: zone.serial - 1 }]);
    await savePeerReports(api.db, [{ ...report, problem }]);
    expect(await messages()).toEqual([
      `The secondary "refused ones" cannot get the domain from this service: ${problem}.`,
    ]);
    await savePeerReports(api.db, [{ ...report, serial: zone.serial }]);
    const all = await listPeerStates(api.db, zone.id);
    expect(all.find(({ peerId }) => peerId === peer.id)).toMatchObject({
      serial: zone.serial,
      problem: null,
    });
  });
});
