import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  sendQuery,
  describeWithPrivatePostgres,
  describeWithRedis,
  freePort,
  type NameserverAddress,
  PrivatePostgres,
  PrivateRedis,
  waitFor,
} from '@zonewright/testkit';
import { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { call } from './support/clients.js';
import { Installation } from './support/installation.js';

/** Time after which a revoked token is rejected everywhere. */
const DEAD_WITHIN_MS = 100;
/** Time limit for a nameserver on a standby: it polls each second, and the machine may be busy. */
const VISIBLE_WITHIN_MS = 10_000;
const ROUNDS = 10;
const FAILED_PASSWORDS_AN_HOUR = 6;
const MAX_DOMAINS = 5;

/** Prints figures for docs/design/scaling.md: FIGURES=1 npm test -- --selectProjects e2e --testPathPatterns growth */
function tell(what: string, milliseconds: readonly number[]): void {
  if (process.env['FIGURES'] === undefined) return;
  const sorted = milliseconds.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)];
  process.stderr.write(`${what}: median ${median} ms, longest ${sorted.at(-1)} ms\n`);
}

/**
 * Starts a Redis Cluster with one node that has every slot. It is used as one server and, like any cluster, rejects a
 * command whose keys are in different slots.
 */
async function startSlotCheckingRedis(): Promise<PrivateRedis> {
  // The default cluster port is the port plus 10,000, which may belong to another server.
  const options = ['--cluster-enabled', 'yes', '--cluster-port', String(await freePort())];
  const server = await PrivateRedis.start(...options);
  const client = new Redis(server.url);
  await client.call('CLUSTER', 'ADDSLOTSRANGE', 0, 16383);
  await waitFor(async () => (await client.cluster('INFO')).includes('cluster_state:ok'), 20_000);
  client.disconnect();
  return server;
}

describeWithRedis('with Redis', () => {
  describeWithPrivatePostgres('growth, on a primary with a streaming standby', () => {
    let primary: PrivatePostgres;
    let standby: PrivatePostgres;
    let redis: PrivateRedis;
    let installation: Installation;
    let identities: string[];
    let dnsApis: string[];
    let operations: string[];
    let nearPrimary: NameserverAddress;
    let nearStandby: NameserverAddress;
    let token: string;

    beforeAll(async () => {
      primary = await PrivatePostgres.start(['max_connections = 100']);
      redis = await startSlotCheckingRedis();
      installation = new Installation(primary.url);
      await installation.prepare();
      installation.addTenant('grower');
      standby = await primary.startStandby();

      const shared = { REDIS_URL: redis.url };
      const settings = {
        ...shared,
        RATE_LIMIT_REVOKE: '1000',
        RATE_LIMIT_FAILED_PASSWORDS: String(FAILED_PASSWORDS_AN_HOUR),
      };
      const services = await Promise.all([1, 2].map(() => installation.startIdentity(settings)));
      identities = services.map(({ addresses }) => addresses['http'] ?? '');
      const apis = await Promise.all(
        identities.map((url) => installation.startDnsApi({ ...shared, IDENTITY_URL: url })),
      );
      dnsApis = apis.map(({ addresses }) => addresses['http'] ?? '');
      operations = [...services, ...apis].map(({ addresses }) => addresses['operations'] ?? '');
      nearPrimary = addressOf(await installation.startNameserver('ns1-1'));
      nearStandby = addressOf(
        await installation.startNameserver('ns1-2', {
          DATABASE_URL: installation.loginUrl('nameserver', standby.url),
          NAMESERVER_STATUS_DATABASE_URL: installation.loginUrl('nameserver'),
        }),
      );
      await waitFor(async () => (await logIn(0)).status === 200, 30_000);
      token = await getToken(0);
    }, 240_000);
    afterAll(async () => {
      await installation.stop();
      await redis.stop();
      await standby.stop();
      await primary.stop();
    }, 60_000);

    const logIn = (replica: number, password = 'grower') =>
      call(`${identities[replica] ?? ''}/v2.0/tokens`, {
        method: 'POST',
        body: {
          auth: { passwordCredentials: { username: 'grower', password }, tenantName: 'grower' },
        },
      });
    const getToken = async (replica: number) =>
      ((await logIn(replica)).body as { access: { token: { id: string } } }).access.token.id;
    const domainsAt = (replica: number) => `${dnsApis[replica] ?? ''}/v1/domains`;
    const listAt = async (replica: number, withToken: string) =>
      (await call(domainsAt(replica), { token: withToken })).status;
    const createDomain = async (replica: number, name: string, key = randomUUID()) =>
      call(domainsAt(replica), {
        method: 'POST',
        token,
        body: { name, email: 'hostmaster@grower.example' },
        headers: { 'idempotency-key': key },
      });

    it('Identity s3: a token revoked at one replica is invalid at all within 100 ms', async () => {
      const times: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const victim = await getToken(round % 2);
        // Both replicas have now cached the validation.
        expect(await Promise.all([0, 1].map((n) => listAt(n, victim)))).toEqual([200, 200]);
        const issuer = identities[(round + 1) % 2] ?? '';
        const { status } = await call(`${issuer}/v2.0/HP-IDM/v1.0/tokens/${victim}`, {
          method: 'DELETE',
          token: victim,
        });
        expect(status).toBe(200);
        const since = Date.now();
        for (const replica of [0, 1]) {
          await waitFor(async () => (await listAt(replica, victim)) === 401, DEAD_WITHIN_MS);
        }
        times.push(Date.now() - since);
        const own = await call(`${identities[round % 2] ?? ''}/v2.0/tenants`, { token: victim });
        expect(own.status).toBe(401);
      }
      tell('revoked at one replica, refused by both', times);
    }, 120_000);

    it('D-OPS: a limit applies to all replicas together', async () => {
      const statuses: number[] = [];
      for (let attempt = 0; attempt < 2 * FAILED_PASSWORDS_AN_HOUR; attempt++) {
        statuses.push((await logIn(attempt % 2, 'wrong')).status);
      }
      expect(statuses.filter((status) => status === 401)).toHaveLength(FAILED_PASSWORDS_AN_HOUR);
      expect(new Set(statuses.slice(FAILED_PASSWORDS_AN_HOUR))).not.toContain(401);
    }, 60_000);

    it('the keys of a command share a hash slot, because Redis checks that and refused nothing', async () => {
      const client = new Redis(redis.url);
      await expect(client.mget('zonewright:one', 'zonewright:two')).rejects.toThrow('CROSSSLOT');
      // This is the only error since this Redis started.
      const errors = await client.info('errorstats');
      client.disconnect();
      expect(errors).toContain('errorstat_CROSSSLOT:count=1\r\n');
      const metrics = await Promise.all(
        operations.map(async (url) => (await fetch(`${url}/metrics`)).text()),
      );
      for (const text of metrics)
        expect(text).toMatch(/identity_redis_ready 1|revocations_heard 1/);
    });

    it('DNS API s3: a quota applies to all replicas together, and a request sent to both takes effect once', async () => {
      installation.operate('quota', 'set', 'grower', '--max-domains', String(MAX_DOMAINS));
      const key = randomUUID();
      const twice = await Promise.all([0, 1].map((n) => createDomain(n, 'once.example.', key)));
      const ids = twice.flatMap(({ status, body }) =>
        status === 200 ? [(body as { id: string }).id] : [],
      );
      expect(new Set(ids).size).toBe(1);

      const many = await Promise.all(
        Array.from({ length: 12 }, (_, index) => createDomain(index % 2, `d${index}.example.`)),
      );
      const created = many.filter(({ status }) => status === 200);
      expect(created).toHaveLength(MAX_DOMAINS - 1);
      installation.operate('quota', 'set', 'grower', '--max-domains', '100');
    }, 60_000);

    it('writers at both replicas lose nothing, and the serial only increases', async () => {
      const domain = (await createDomain(0, 'shared.example.')).body as { id: string };
      const names = Array.from({ length: 20 }, (_, index) => `r${index}.shared.example.`);
      const statuses = await Promise.all(
        names.map(async (name, index) => {
          const url = `${domainsAt(index % 2)}/${domain.id}/records`;
          const body = { name, type: 'A', data: '192.0.2.1' };
          const headers = { 'Idempotency-Key': `${domain.id}-${name}` };
          // A request that gets no slot within half a second is repeated, as clients do.
          return await waitFor(async () => {
            const { status } = await call(url, { method: 'POST', token, headers, body });
            return status === 503 ? undefined : status;
          }, 30_000);
        }),
      );
      expect(new Set(statuses)).toEqual(new Set([200]));
      const { body } = await call(`${domainsAt(1)}/${domain.id}/records`, { token });
      const listed = (body as { records: { name: string }[] }).records.map(({ name }) => name);
      expect(listed.toSorted()).toEqual(names.toSorted());
    }, 60_000);

    it('a nameserver on the standby gets every change by polling', async () => {
      const domain = (await createDomain(0, 'far.example.')).body as { id: string };
      const times = { primary: [] as number[], standby: [] as number[] };
      for (let round = 0; round < ROUNDS; round++) {
        const name = `r${round}.far.example`;
        const { status } = await call(`${domainsAt(round % 2)}/${domain.id}/records`, {
          method: 'POST',
          token,
          body: { name: `${name}.`, type: 'A', data: '192.0.2.1' },
        });
        expect(status).toBe(200);
        const since = Date.now();
        const measure = async (server: NameserverAddress, results: number[]) => {
          await waitFor(
            async () => (await sendQuery(server, name, 'A')).answers.length === 1,
            VISIBLE_WITHIN_MS,
          );
          results.push(Date.now() - since);
        };
        await Promise.all([
          measure(nearPrimary, times.primary),
          measure(nearStandby, times.standby),
        ]);
      }
      tell('answered by the nameserver on the primary (NOTIFY)', times.primary);
      tell('answered by the nameserver on the standby (poll)', times.standby);
    }, 120_000);

    it('without the primary the nameserver on the standby answers, and continues afterwards', async () => {
      const answers = async (name: string) =>
        (await sendQuery(nearStandby, name, 'A')).answers.length;
      await primary.halt();
      expect(await answers('r0.far.example')).toBe(1);
      await waitFor(async () => (await listAt(0, token)) === 503, 30_000);
      expect(await answers('r0.far.example')).toBe(1);

      await primary.resume();
      await waitFor(async () => (await listAt(0, token)) === 200, 30_000);
      const after = await createDomain(1, 'after.example.');
      expect(after.status).toBe(200);
      await waitFor(
        async () => (await sendQuery(nearStandby, 'after.example', 'SOA')).answers.length === 1,
        30_000,
      );
    }, 120_000);
  });
});

function addressOf({
  addresses,
}: {
  addresses: Readonly<Record<string, string>>;
}): NameserverAddress {
  const dns = addresses['dns'] ?? '';
  return { host: '127.0.0.1', port: Number(dns.slice(dns.lastIndexOf(':') + 1)) };
}
