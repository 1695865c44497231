import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  describeWithPrivatePostgres,
  giveToServer,
  PrivatePostgres,
  programsFolder,
  waitFor,
} from '@zonewright/testkit';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drillCommands, runDrill, writePrograms } from './support/drill-commands.js';
import { DrillPlatform, ROLE_PASSWORDS } from './support/drill-platform.js';

const DATABASE = 'zonewright';
/** Time limit of a change on a busy machine. Usually a change is served within a second. */
const IN_STEP_MS = 10_000;

describeWithPrivatePostgres(
  'backup and restore, with the commands of docs/operations/backup-and-restore.md',
  () => {
    let folder: string;
    let archive: string;
    let server: PrivatePostgres;
    let platform: DrillPlatform;
    let path: string[];

    const urlOf = ({ url }: PrivatePostgres) => url.replace(/\/postgres$/, `/${DATABASE}`);
    const drill = async (title: string, env: Record<string, string> = {}) => {
      const operator = Object.fromEntries(Object.entries(platform.operatorEnv));
      await runDrill(title, {
        path,
        env: { ...ROLE_PASSWORDS, ...operator, BACKUP: folder, ARCHIVE: archive, ...env },
      });
    };
    const answers = async (name: string, expected: string) => {
      await waitFor(async () => (await platform.resolve(name)) === expected, IN_STEP_MS);
    };

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'zonewright-drill-'));
      await chmod(folder, 0o755);
      archive = join(folder, 'archive');
      await mkdir(archive);
      await giveToServer(archive);
      path = [await writePrograms(folder), programsFolder()];
      const configuration = drillCommands('postgresql.conf').replaceAll('ARCHIVE', archive);
      server = await PrivatePostgres.start(configuration.split('\n'));
      await server.query(`create database ${DATABASE}`);
      platform = await DrillPlatform.prepare({
        encryptionKeys: `k1:${randomBytes(32).toString('base64')}`,
        snapshotFolder: join(folder, 'snapshots'),
      });
      platform.databaseUrl = urlOf(server);
      runDrillProgram('zonewright-migrate', urlOf(server));
      await platform.bootstrap();
      await platform.addTenant();
      await platform.start();
    }, 120_000);
    afterAll(async () => {
      await platform.stop();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    });

    function runDrillProgram(program: string, databaseUrl: string): void {
      const { status, stderr } = spawnSync(join(path[0]!, program), {
        env: { ...ROLE_PASSWORDS, DATABASE_URL: databaseUrl },
        encoding: 'utf8',
      });
      if (status !== 0) throw new Error(`${program}: ${stderr}`);
    }

    /** Destroys the server and its files, as a fire would. */
    async function destroy(): Promise<void> {
      server.signal('SIGQUIT');
      await server.stop();
      expect(existsSync(server.dataFolder)).toBe(false);
    }

    it('a dump on a new server keeps log-ins and tokens, and the nameserver agrees with it', async () => {
      const token = await platform.logIn();
      const revoked = await platform.logIn();
      const kept = await platform.createDomain(token, 'kept.example.', '192.0.2.1');
      await platform.revoke(revoked);
      await answers('kept.example.', '192.0.2.1');
      await drill('dump', { OWNER_URL: urlOf(server) });

      // These changes are lost with the server but seen by the nameserver. They must not be served forever.
      await platform.changeAddress(token, kept, '192.0.2.66');
      await platform.createDomain(token, 'lost.example.', '192.0.2.66');
      await answers('kept.example.', '192.0.2.66');
      await answers('lost.example.', '192.0.2.66');
      const snapshot = join(folder, 'snapshots', 'zones.snapshot');
      const lost = Buffer.of(192, 0, 2, 66);
      // One for each of the two zones.
      await waitFor(() => {
        const content = readFileSync(snapshot);
        return content.indexOf(lost) !== content.lastIndexOf(lost);
      }, IN_STEP_MS);

      await platform.stop();
      await destroy();
      await platform.startNameserver();
      // Served from its snapshot, without any database.
      await answers('kept.example.', '192.0.2.66');
      await platform.stop();

      const configuration = drillCommands('postgresql.conf').replaceAll('ARCHIVE', archive);
      await rm(archive, { recursive: true });
      await mkdir(archive);
      await giveToServer(archive);
      server = await PrivatePostgres.start(configuration.split('\n'));
      platform.databaseUrl = urlOf(server);
      await drill('restore a dump', { NEW_SERVER_URL: server.url, NEW_OWNER_URL: urlOf(server) });
      await platform.start();

      await answers('kept.example.', '192.0.2.1');
      await answers('lost.example.', 'REFUSED');
      expect(await platform.statusWith(token)).toBe(200);
      expect(await platform.statusWith(revoked)).toBe(401);
      expect(await platform.statusWith(await platform.logIn())).toBe(200);
      await platform.changeAddress(token, kept, '192.0.2.2');
      await platform.createDomain(token, 'new.example.', '192.0.2.3');
      await answers('kept.example.', '192.0.2.2');
      await answers('new.example.', '192.0.2.3');
    }, 300_000);

    it('a restore to any moment brings back deleted data, and everything agrees', async () => {
      const token = await platform.logIn();
      const revoked = await platform.logIn();
      const revokedLater = await platform.logIn();
      const wanted = await platform.createDomain(token, 'wanted.example.', '192.0.2.10');
      await drill('base backup', { OWNER_URL: urlOf(server) });
      // Only the log contains these changes.
      await platform.changeAddress(token, wanted, '192.0.2.11');
      await platform.revoke(revoked);
      const [{ now }] = await server.query<{ now: string }>(
        'select clock_timestamp()::text as now',
      );
      await platform.revoke(revokedLater);
      await platform.deleteDomain(token, wanted);
      await answers('wanted.example.', 'REFUSED');
      await platform.createDomain(token, 'later.example.', '192.0.2.12');
      await answers('later.example.', '192.0.2.12');

      const [{ segment }] = await server.query<{ segment: string }>(
        'select pg_walfile_name(pg_switch_wal()) as segment',
      );
      await waitFor(() => existsSync(join(archive, segment)), IN_STEP_MS);
      await destroy();
      // Nameservers continue. The two services respond with 503.
      expect(await platform.resolve('later.example.')).toBe('192.0.2.12');
      await platform.stop();

      server = await PrivatePostgres.fromBackup(async (dataFolder) => {
        await drill('restore a moment', { PGDATA: dataFolder, RECOVERY_TIME: now });
        await giveToServer(dataFolder);
      });
      await waitFor(() => server.log.includes('archive recovery complete'), IN_STEP_MS);
      platform.databaseUrl = urlOf(server);
      await platform.startNameserver();
      await drill('after a restored moment');
      await platform.stop();
      await platform.start();

      await answers('wanted.example.', '192.0.2.11');
      await answers('later.example.', 'REFUSED');
      expect(await platform.statusWith(token)).toBe(200);
      expect(await platform.statusWith(revoked)).toBe(401);
      // The revocation is lost (D-OPS-33).
      expect(await platform.statusWith(revokedLater)).toBe(200);
      await platform.changeAddress(token, wanted, '192.0.2.13');
      await answers('wanted.example.', '192.0.2.13');
      const conf = await readFile(join(server.dataFolder, 'postgresql.auto.conf'), 'utf8');
      expect(conf).toContain(`recovery_target_time = '${now}'`);
    }, 300_000);
  },
);
