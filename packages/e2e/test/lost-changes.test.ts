import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  sendQuery,
  describeWithPrivatePostgres,
  giveToServer,
  type NameserverAddress,
  PrivatePostgres,
  waitFor,
} from '@zonewright/testkit';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { call, insist } from './support/clients.js';
import { Installation, type RunningService } from './support/installation.js';
import { runAdmin } from './support/programs.js';

const NAMESERVERS = ['ns1-1', 'ns1-2', 'ns1-3'];
const TENANT = 'keeper';
/**
 * Number of changes. Within a few seconds they move the serial of a zone ahead of the clock for longer than the test
 * takes.
 */
const LOST = 300;
const SOON_MS = 20_000;

/**
 * A database that returns without its last changes, like an asynchronous standby with interrupted replication, or a
 * copy of the files.
 */
describeWithPrivatePostgres('ADR 0020: a database that lost the last changes of a zone', () => {
  let server: PrivatePostgres;
  let installation: Installation;
  let copy: string;
  let nameservers: RunningService[];
  let dnsUrl = '';
  let token = '';
  let zoneId = '';

  beforeAll(async () => {
    copy = await mkdtemp(join(tmpdir(), 'zonewright-lost-'));
    server = await PrivatePostgres.start(['max_connections = 60']);
    installation = new Installation(server.url);
    await installation.prepare();
    installation.addTenant(TENANT);
    const identity = await installation.startIdentity({});
    const { http: identityUrl = '' } = identity.addresses;
    const dnsApi = await installation.startDnsApi({ IDENTITY_URL: identityUrl });
    dnsUrl = dnsApi.addresses['http'] ?? '';
    nameservers = await Promise.all(NAMESERVERS.map((name) => installation.startNameserver(name)));
    const { body } = await insist(`${identityUrl}/v2.0/tokens`, {
      method: 'POST',
      body: {
        auth: { passwordCredentials: { username: TENANT, password: TENANT }, tenantName: TENANT },
      },
    });
    token = (body as { access: { token: { id: string } } }).access.token.id;
  }, 120_000);

  afterAll(async () => {
    await installation.stop();
    await server.stop();
    await rm(copy, { recursive: true, force: true });
  });

  type Send = typeof call;
  const write = (path: string, body: object, send: Send = call) =>
    send(`${dnsUrl}/v1/domains${path}`, { method: 'POST', token, body });
  const createRecord = (name: string, send?: Send) => {
    const record = { name: `${name}.tail.example.`, type: 'A', data: '192.0.2.7' };
    return write(`/${zoneId}/records`, record, send);
  };
  const answer = async (name: string, expected: string) => {
    const isAnswered = async () => (await answers(name)).every((each) => each === expected);
    await waitFor(isAnswered, SOON_MS);
  };
  const answers = (name: string) =>
    Promise.all(
      nameservers.map(async ({ addresses: { dns = '' } }) => {
        const [host = '', port] = dns.split(':');
        const address: NameserverAddress = { host, port: Number(port) };
        const { rcode, answers: found } = await sendQuery(address, `${name}.tail.example`, 'A');
        return `${rcode} ${found.length}`;
      }),
    );

  async function loseChanges(): Promise<void> {
    await server.halt();
    await rm(server.dataFolder, { recursive: true, force: true });
    await cp(copy, server.dataFolder, { recursive: true });
    await giveToServer(server.dataFolder);
    await server.resume();
  }

  it('gets serials above the published ones, so new changes are visible at once, and lost ones disappear', async () => {
    const { status, body } = await write(
      '',
      { name: 'tail.example.', email: 'a@tail.example' },
      insist,
    );
    expect([status, body]).toMatchObject([200, {}]);
    zoneId = (body as { id: string }).id;
    expect((await createRecord('kept', insist)).status).toBe(200);
    await server.halt();
    await cp(server.dataFolder, copy, { recursive: true });
    await server.resume();
    await waitFor(async () => (await createRecord('lost')).status === 200, SOON_MS);
    for (let n = 1; n < LOST; n += 1) await createRecord(`lost${n}`, insist);
    await answer('lost', 'NOERROR 1');
    await loseChanges();

    await waitFor(async () => (await createRecord('new')).status === 200, SOON_MS);
    const acknowledgedAt = performance.now();
    await answer('new', 'NOERROR 1');
    const seconds = (performance.now() - acknowledgedAt) / 1_000;
    process.stdout.write(`answered by all ${seconds.toFixed(2)} s after it was acknowledged\n`);
    await answer('lost', 'NXDOMAIN 0');
    await answer('kept', 'NOERROR 1');
    const { stdout } = await runAdmin(['doctor', '--json'], {
      DATABASE_URL: installation.loginUrl('operator'),
    });
    expect(stdout).not.toMatch(/later serials/);
  }, 120_000);
});
