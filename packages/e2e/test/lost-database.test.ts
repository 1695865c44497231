import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openDatabase } from '@zonewright/database';
import {
  addZone,
  sendQuery,
  describeWithPrivatePostgres,
  type NameserverAddress,
  PrivatePostgres,
  programsFolder,
  waitFor,
} from '@zonewright/testkit';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { call } from './support/clients.js';
import { Installation, type RunningService } from './support/installation.js';
import { runAdmin } from './support/programs.js';

const ZONES = Array.from({ length: 24 }, (_, index) => `kept${index}.example`);
const NAMESERVERS = ['ns1-1', 'ns1-2'];
const TENANT = 'loser';
/** Time limit of a change on a busy machine. The usual time is a second. */
const SOON_MS = 20_000;

interface Report {
  readonly findings: { area: string; level: string; finding: string }[];
}

/** Time limit that never expires: this process is blocked while it runs programs, and reads answers only afterwards. */
const NEVER_MS = 30_000;

/** Queries nameservers for zones all the time, as resolvers do, and records answers without an address. */
class Questions {
  readonly failures: string[] = [];
  asked = 0;
  readonly #asking: Promise<void>;
  #isOver = false;

  constructor(servers: () => readonly NameserverAddress[]) {
    this.#asking = this.#askOn(servers);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#asking;
  }

  async #askOn(servers: () => readonly NameserverAddress[]): Promise<void> {
    while (!this.#isOver) {
      for (const server of servers()) {
        const zone = ZONES[this.asked++ % ZONES.length]!;
        const outcome = await sendQuery(server, zone, 'A', { timeoutMs: NEVER_MS }).then(
          ({ rcode, answers }) => (answers.length === 1 ? '' : rcode),
          (error: unknown) => String(error),
        );
        if (outcome !== '') this.failures.push(`${zone}: ${outcome}`);
      }
      await delay(5);
    }
  }
}

describeWithPrivatePostgres('a database that is lost, with two nameservers', () => {
  let server: PrivatePostgres;
  let installation: Installation;
  let folder: string;
  let nameservers: RunningService[];

  const addresses = (): NameserverAddress[] =>
    nameservers.map(({ addresses: { dns = '' } }) => {
      const [host = '', port] = dns.split(':');
      return { host, port: Number(port) };
    });
  const rcodes = (zone: string) =>
    Promise.all(addresses().map(async (address) => (await sendQuery(address, zone, 'A')).rcode));
  const readiness = () =>
    Promise.all(
      nameservers.map(async ({ addresses: { operations = '' } }) => {
        const response = await fetch(`${operations}/readyz`);
        const { checks } = (await response.json()) as { checks: { zones: string } };
        return `${response.status} ${checks.zones}`;
      }),
    );
  const areBelieving = async () => (await readiness()).every((text) => text === '200 ok');
  const areDoubting = async () =>
    (await readiness()).every((text) =>
      /^200 the database is not trusted: the database is .+, not /.test(text),
    );
  const admin = (...args: string[]) =>
    runAdmin(args, { DATABASE_URL: installation.loginUrl('operator') });
  const findings = async (area: string) => {
    const { stdout } = await admin('doctor', '--json');
    const report = JSON.parse(stdout) as Report;
    return report.findings.filter((each) => each.area === area);
  };

  async function startNameservers(): Promise<void> {
    nameservers = await Promise.all(
      NAMESERVERS.map((name) =>
        installation.startNameserver(name, {
          NAMESERVER_SNAPSHOT_DIR: join(folder, name),
          NAMESERVER_SNAPSHOT_INTERVAL_SECONDS: '1',
        }),
      ),
    );
  }

  function runPostgres(program: string, ...args: string[]): void {
    const { status, stderr } = spawnSync(join(programsFolder(), program), args, {
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`${program}: ${stderr}`);
  }

  async function dropDatabase(): Promise<void> {
    const name = new URL(installation.databaseUrl).pathname.slice(1);
    await server.query(`drop database ${name} with (force)`);
    await server.query(`create database ${name}`);
  }

  /** Creates what replaces a lost volume: `migrate` and `bootstrap` run automatically. */
  async function startAnew(): Promise<void> {
    await dropDatabase();
    await installation.migrate();
    installation.bootstrap();
  }

  beforeAll(async () => {
    server = await PrivatePostgres.start(['max_connections = 60']);
    folder = await mkdtemp(join(tmpdir(), 'zonewright-lost-'));
    installation = new Installation(server.url);
    await installation.prepare();
    const db = openDatabase({
      url: installation.databaseUrl,
      applicationName: 'zonewright-test',
      maxConnections: 1,
    });
    for (const zone of ZONES) {
      await addZone(db, `${zone}.`, [{ name: `${zone}.`, type: 'A', data: '192.0.2.1' }]);
    }
    await db.destroy();
    runPostgres(
      'pg_dump',
      `--dbname=${installation.databaseUrl}`,
      '--format=custom',
      `--file=${join(folder, 'dump')}`,
    );
    await startNameservers();
    await waitFor(areBelieving, SOON_MS);
  }, 120_000);
  afterAll(async () => {
    await installation.stop();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('ADR 0020: an empty database in its place, restarts, and the restore leave no query unanswered', async () => {
    const questions = new Questions(addresses);
    await waitFor(() => questions.asked > 100);
    await startAnew();
    await waitFor(areDoubting, SOON_MS);
    const told = await waitFor(async () => {
      const all = await findings('belief');
      return all.length === NAMESERVERS.length ? all : undefined;
    }, SOON_MS);
    expect(told).toEqual(
      NAMESERVERS.map((name) =>
        expect.objectContaining({
          level: 'error',
          finding: expect.stringContaining(`${name} does not trust this database`) as unknown,
        }),
      ),
    );
    await questions.stop();
    expect(questions.failures).toEqual([]);

    await installation.stop();
    await startNameservers();
    const again = new Questions(addresses);
    await waitFor(areDoubting, SOON_MS);
    await dropDatabase();
    runPostgres(
      'pg_restore',
      `--dbname=${installation.databaseUrl}`,
      '--exit-on-error',
      join(folder, 'dump'),
    );
    await installation.migrate();
    expect((await admin('feed', 'reset', '--new-serials')).exitCode).toBe(0);
    await waitFor(areBelieving, SOON_MS);
    await waitFor(async () => (await findings('belief'))[0]?.level === 'ok', SOON_MS);
    await again.stop();
    expect(again.asked).toBeGreaterThan(100);
    expect(again.failures).toEqual([]);
  }, 240_000);

  it('ADR 0020: a write there does not wait for nameservers that reject the database', async () => {
    await startAnew();
    installation.addTenant(TENANT);
    await waitFor(areDoubting, SOON_MS);
    const identity = (await installation.startIdentity({})).addresses['http'] ?? '';
    const dnsApi = await installation.startDnsApi({ IDENTITY_URL: identity });
    const token = await waitFor(async () => {
      const { body, status } = await call(`${identity}/v2.0/tokens`, {
        method: 'POST',
        body: {
          auth: {
            passwordCredentials: { username: TENANT, password: TENANT },
            tenantName: TENANT,
          },
        },
      });
      return status === 200
        ? (body as { access: { token: { id: string } } }).access.token.id
        : undefined;
    }, SOON_MS);
    const write = await waitFor(async () => {
      const answer = await call(`${dnsApi.addresses['http'] ?? ''}/v1/domains`, {
        method: 'POST',
        token,
        headers: { prefer: 'wait=1' },
        body: { name: 'new.example.', email: 'hostmaster@example.com' },
      });
      return answer.status === 503 ? undefined : answer;
    }, SOON_MS);
    expect(write.status).toBe(200);
    expect(write.headers.get('x-zonewright-published')).toBe('0/6');
    expect(await rcodes('new.example')).toEqual(['REFUSED', 'REFUSED']);
  }, 240_000);

  it('ADR 0020: after one command accepts it, all nameservers answer with it, and the earlier data is gone', async () => {
    expect(await rcodes(ZONES[0]!)).toEqual(['NOERROR', 'NOERROR']);
    expect((await admin('nameserver', 'accept-database')).exitCode).toBe(0);
    await waitFor(areBelieving, SOON_MS);
    expect(await rcodes('new.example')).toEqual(['NOERROR', 'NOERROR']);
    expect(await rcodes(ZONES[0]!)).toEqual(['REFUSED', 'REFUSED']);
    await waitFor(async () => (await findings('belief'))[0]?.level === 'ok', SOON_MS);
  }, 120_000);
});
