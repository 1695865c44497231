import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort, waitFor } from '@zonewright/testkit';
import { chmod, lstat, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { EmbeddedPostgres, embeddedPostgresUrl } from '../src/embedded/postgres-server.js';
import { canReach, findUnprivilegedUser } from '../src/embedded/unprivileged-user.js';
import type { Watchdog } from '../src/embedded/watchdog-client.js';

const isRoot = process.getuid?.() === 0;
/** These tests stop what they start; the real watchdog is a program of dist/. */
const noWatchdog = { watch: () => undefined, forget: () => undefined } as unknown as Watchdog;

describe('embedded PostgreSQL', () => {
  let folder: string;
  const notes: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'zonewright-embedded-'));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  async function start(name: string, onUnexpectedExit = () => undefined) {
    const port = await freePort();
    const server = await EmbeddedPostgres.start({
      folder: join(folder, name),
      logFile: join(folder, 'postgres.log'),
      port,
      password: 'secret',
      settings: { fsync: 'off' },
      watchdog: noWatchdog,
      onUnexpectedExit,
      onNote: (note) => notes.push(note),
    });
    return { server, url: embeddedPostgresUrl(port, 'secret') };
  }

  it('keeps its data between runs, and needs the password', async () => {
    await chmod(folder, 0o755);
    const first = await start('kept');
    await query(first.url, 'create table remembered (id int)');
    await expect(query(first.url.replace('secret', 'guess'), 'select 1')).rejects.toThrow(
      'password authentication failed',
    );
    await first.server.stop();
    const second = await start('kept');
    await expect(query(second.url, 'select from remembered')).resolves.toBeDefined();
    await second.server.stop();
  });

  it('tells when it ended by itself, and starts again after a crash', async () => {
    let ended = false;
    const first = await start('crashed', () => {
      ended = true;
      return undefined;
    });
    await query(first.url, 'create table remembered (id int)');
    const pidFile = await readFile(join(folder, 'crashed', 'postmaster.pid'), 'utf8');
    process.kill(Number.parseInt(pidFile, 10), 'SIGKILL');
    await waitFor(() => ended);
    const second = await start('crashed');
    await expect(query(second.url, 'select from remembered')).resolves.toBeDefined();
    await second.server.stop();
  });

  (isRoot ? it : it.skip)(
    'root, in a folder that others cannot enter: the files go elsewhere, and a link leads there',
    async () => {
      const hidden = join(folder, 'hidden');
      await mkdir(hidden, { mode: 0o700 });
      const user = await findUnprivilegedUser();
      expect(user !== undefined && (await canReach(user, hidden))).toBe(false);
      const first = await start('hidden/postgres');
      await query(first.url, 'create table remembered (id int)');
      await first.server.stop();
      expect((await lstat(join(hidden, 'postgres'))).isSymbolicLink()).toBe(true);
      expect(notes.join()).toContain('cannot enter');

      const second = await start('hidden/postgres');
      await expect(query(second.url, 'select from remembered')).resolves.toBeDefined();
      const { rows } = await query(second.url, 'show data_directory');
      await second.server.stop();
      await rm((rows[0] as { data_directory: string }).data_directory, { recursive: true });
    },
  );
});

async function query(url: string, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await client.query(statement);
  } finally {
    await client.end();
  }
}
