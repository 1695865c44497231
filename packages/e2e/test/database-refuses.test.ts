import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeWithPrivatePostgres, PrivatePostgres, waitFor } from '@zonewright/testkit';
import { closeSync, existsSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { call } from './support/clients.js';
import { Installation, type RunningService } from './support/installation.js';
import { runAdmin } from './support/programs.js';
import { describeWithSmallDisk, SmallDisk } from './support/small-disk.js';

const MEGABYTE = 1_048_576;
/** Disk size: a new cluster without its WAL, an installation, and some megabytes for the test. */
const DISK = 160 * MEGABYTE;
const TENANT = 'writer';
const SOON_MS = 30_000;
const TIMEOUT_MS = 180_000;

interface Finding {
  readonly area: string;
  readonly level: string;
  readonly finding: string;
  readonly advice: string | null;
}

// Each is skipped with a separate line.
const describeWhole = (title: string, suite: () => void) => {
  describeWithPrivatePostgres(title, () => {
    describeWithSmallDisk('on a separate disk', suite);
  });
};

describeWhole('PostgreSQL that refuses what services ask', () => {
  let disk: SmallDisk;
  let server: PrivatePostgres;
  let installation: Installation;
  let identity: RunningService;
  let dnsApi: RunningService;
  let token: string;

  const tokens = () => `${identity.addresses['http'] ?? ''}/v2.0/tokens`;
  const domains = () => `${dnsApi.addresses['http'] ?? ''}/v1/domains`;
  const passwordCredentials = { username: TENANT, password: TENANT };
  const logIn = () =>
    call(tokens(), { method: 'POST', body: { auth: { passwordCredentials, tenantName: TENANT } } });
  let zones = 0;
  const createZone = () =>
    call(domains(), {
      method: 'POST',
      token,
      body: { name: `z${(zones += 1)}.example.`, email: 'hostmaster@example.com' },
    });

  async function doctor(): Promise<{ exitCode: number | null; findings: readonly Finding[] }> {
    const { exitCode, stdout } = await runAdmin(['doctor', '--json'], {
      DATABASE_URL: installation.loginUrl('operator'),
      DOCTOR_READY_URLS: dnsApi.addresses['operations'] ?? '',
    });
    return { exitCode, ...(JSON.parse(stdout) as { findings: readonly Finding[] }) };
  }
  const ofArea = ({ findings }: { findings: readonly Finding[] }, area: string) =>
    findings
      .filter((each) => each.area === area)
      .map(({ level, finding, advice }) => `${level}: ${finding} -> ${advice ?? ''}`);

  beforeAll(async () => {
    disk = await SmallDisk.mount(DISK);
    server = await PrivatePostgres.start(['max_connections = 60'], disk);
    installation = new Installation(server.url);
    await installation.prepare();
    installation.addTenant(TENANT);
    identity = await installation.startIdentity({});
    dnsApi = await installation.startDnsApi({
      IDENTITY_URL: identity.addresses['http'] ?? '',
      DNS_API_MAX_DOMAINS: '1000',
    });
    await waitFor(async () => (await logIn()).status === 200, SOON_MS);
    const { body } = await logIn();
    token = (body as { access: { token: { id: string } } }).access.token.id;
    await waitFor(async () => (await createZone()).status === 200, SOON_MS);
  }, TIMEOUT_MS);
  afterAll(async () => {
    await installation.stop();
    await server.stop();
    await disk.unmount();
  }, TIMEOUT_MS);

  describe('because its disk is full', () => {
    const filler = () => join(disk.seenFromOutside, 'filler');

    /** Writes blocks of a size until none fits. */
    function fillWith(file: number, size: number): void {
      try {
        for (;;) writeSync(file, Buffer.alloc(size, 1));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    }

    /** Uses all remaining space. */
    function fillUp(): void {
      const file = openSync(filler(), 'a');
      for (const size of [MEGABYTE, 4_096]) fillWith(file, size);
      closeSync(file);
    }

    it(
      'a write is refused with 503 and a reason, and doctor reports the disk, from its own write and from dns-api',
      async () => {
        expect(ofArea(await doctor(), 'writes')[0]).toMatch(/^ok: PostgreSQL committed a change/);
        fillUp();
        const refused = await waitFor(async () => {
          const answer = await createZone();
          return answer.status === 200 ? undefined : answer;
        }, SOON_MS);
        expect(refused).toMatchObject({
          status: 503,
          body: {
            type: 'unavailable',
            message:
              'The database of the service has no space left for changes; the operator must free some.',
          },
        });
        const report = await doctor();
        expect(report.exitCode).toBe(2);
        expect(ofArea(report, 'writes')).toEqual([
          expect.stringMatching(
            /^error: PostgreSQL refuses changes: its disk is full \(SQLSTATE 53100: .+\)\. Users get 503\. -> Free space/,
          ),
        ]);
        expect(ofArea(report, 'services')).toContainEqual(
          expect.stringMatching(
            /^error: PostgreSQL refused a statement of \S+ \d+ s ago: its disk is full \(SQLSTATE 53100\)\. -> Free space/,
          ),
        );
      },
      TIMEOUT_MS,
    );

    it(
      'with free space again everything recovers automatically',
      async () => {
        rmSync(filler());
        expect(existsSync(filler())).toBe(false);
        await waitFor(async () => (await createZone()).status === 200, SOON_MS);
        expect(ofArea(await doctor(), 'writes')[0]).toMatch(/^ok: PostgreSQL committed a change/);
      },
      TIMEOUT_MS,
    );
  });

  describe('because an empty database has replaced ours', () => {
    it(
      'log-ins and reads get 503, and doctor suggests that the database may be a wrong one',
      async () => {
        const name = new URL(installation.databaseUrl).pathname.slice(1);
        await server.query(`drop database ${name} with (force)`);
        await server.query(`create database ${name}`);
        for (const answered of [await logIn(), await logIn()]) {
          expect(answered).toMatchObject({
            status: 503,
            body: { serviceUnavailable: { code: 503 } },
          });
        }
        expect(await createZone()).toMatchObject({ status: 503, body: { type: 'unavailable' } });
        const report = await doctor();
        expect(report.exitCode).toBe(2);
        expect(ofArea(report, 'schema')).toEqual([
          expect.stringMatching(
            /^error: This database does not have the Zonewright schema.+-> First check that this is the right database/,
          ),
        ]);
      },
      TIMEOUT_MS,
    );
  });
});
