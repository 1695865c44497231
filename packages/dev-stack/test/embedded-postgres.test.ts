import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { freePort, waitFor } from '@zonewright/testkit';
import {
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { EmbeddedPostgres, embeddedPostgresUrl } from '../src/embedded/postgres-server.js';
import {
  canReach,
  findUnprivilegedUser,
  reachableCopy,
} from '../src/embedded/unprivileged-user.js';
import type { Watchdog } from '../src/embedded/watchdog-client.js';

const itAsRoot = process.getuid?.() === 0 ? it : it.skip;
/** User id of `nobody` on Linux. */
const NOBODY = 65_534;
/** The tests stop what they start, and the real watchdog is a program in dist/. */
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

  async function start(
    name: string,
    onUnexpectedExit = (): void => undefined,
    password = 'secret',
    chosenPort?: number,
  ) {
    const port = chosenPort ?? (await freePort());
    const server = await EmbeddedPostgres.start({
      folder: join(folder, name),
      logFile: join(folder, `${name}.log`),
      port,
      password,
      settings: { fsync: 'off' },
      watchdog: noWatchdog,
      onUnexpectedExit,
      onNote: (note) => notes.push(note),
    });
    return { server, url: embeddedPostgresUrl(port, 'secret') };
  }

  it('keeps its data between runs, and requires the password', async () => {
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

  it('does not mistake another server on its port for its own', async () => {
    const other = await start('other');
    const port = Number(new URL(other.url).port);
    await expect(start('late', undefined, 'another', port)).rejects.toThrow(
      'Address already in use',
    );
    await other.server.stop();
  });

  it('reports when it ended unexpectedly, and starts again after a crash', async () => {
    let ended = false;
    const first = await start('crashed', () => {
      ended = true;
    });
    await query(first.url, 'create table remembered (id int)');
    const pidFile = await readFile(join(folder, 'crashed', 'postmaster.pid'), 'utf8');
    process.kill(Number.parseInt(pidFile, 10), 'SIGKILL');
    await waitFor(() => ended);
    const second = await start('crashed');
    await expect(query(second.url, 'select from remembered')).resolves.toBeDefined();
    await second.server.stop();
  });

  it('a folder that an earlier initdb left incomplete is created again or completed', async () => {
    const begun = join(folder, 'begun', 'zonewright-unfinished');
    await mkdir(begun, { recursive: true });
    await writeFile(join(begun, 'PG_VERSION'), '18\n');
    await (await start('begun')).server.stop();

    // Everything except the version file had been moved.
    const moved = join(folder, 'begun', 'zonewright-unfinished');
    await mkdir(moved);
    await writeFile(join(moved, 'zonewright-initialized'), '');
    await rename(join(folder, 'begun', 'PG_VERSION'), join(moved, 'PG_VERSION'));
    const completed = await start('begun');
    await expect(query(completed.url, 'select 1')).resolves.toBeDefined();
    await completed.server.stop();
    expect(await readdir(join(folder, 'begun'))).not.toContain('zonewright-unfinished');
  });

  describe('an existing cluster is never replaced', () => {
    beforeAll(async () => {
      const { server, url } = await start('precious');
      await query(url, 'create table remembered (id int)');
      await server.stop();
    });

    async function expectRemembered(): Promise<void> {
      const { server, url } = await start('precious');
      await expect(query(url, 'select from remembered')).resolves.toBeDefined();
      await server.stop();
    }

    it('without the mark of our initdb, as after a physical restore', async () => {
      await rm(join(folder, 'precious', 'zonewright-initialized'), { force: true });
      await expectRemembered();
    });

    it('with a missing file: an error that names the folder', async () => {
      const control = join(folder, 'precious', 'global', 'pg_control');
      await rename(control, `${control}.away`);
      await expect(start('precious')).rejects.toThrow(
        /did not start on .*precious \(nothing was deleted.*pg_control/s,
      );
      await rename(`${control}.away`, control);
      await expectRemembered();
    });

    it('without its version: an error, and all files remain', async () => {
      const version = join(folder, 'precious', 'PG_VERSION');
      await rename(version, `${version}.away`);
      await expect(start('precious')).rejects.toThrow('it has files, but no PG_VERSION');
      await rename(`${version}.away`, version);
      await expectRemembered();
    });

    it('with another password: an immediate error, not one after a minute', async () => {
      await expect(start('precious', undefined, 'another')).rejects.toThrow(
        'rejects the password in secrets.json',
      );
      await expectRemembered();
    });

    it('behind a link to a disk that is missing, or in a folder that cannot be read', async () => {
      await symlink(join(folder, 'unmounted'), join(folder, 'link'));
      await expect(start('link')).rejects.toThrow('it points to a folder that does not exist');
      await symlink('loop', join(folder, 'loop'));
      await expect(start('loop')).rejects.toThrow(/cannot be used: ELOOP/);
      expect((await lstat(join(folder, 'link'))).isSymbolicLink()).toBe(true);
    });
  });

  itAsRoot('root in the folder of a user: PostgreSQL runs as that user, who keeps it', async () => {
    const theirs = join(folder, 'theirs');
    const owned = (uid: number, ...names: string[]) => {
      const path = join(theirs, 'postgres', ...names);
      return expect(stat(path)).resolves.toMatchObject({ uid });
    };
    await mkdir(theirs);
    await chown(theirs, NOBODY, NOBODY);
    await (await start('theirs/postgres')).server.stop();
    await owned(NOBODY);
    await owned(NOBODY, 'base');

    // State that an earlier version left.
    await chown(join(theirs, 'postgres'), 1, 1);
    await (await start('theirs/postgres')).server.stop();
    await owned(NOBODY);

    // State that a container sees for the folder of an unknown user.
    spawnSync('chown', ['-R', '12345:12345', theirs]);
    await (await start('theirs/postgres')).server.stop();
    await owned(12_345, 'global', 'pg_control');
  });

  itAsRoot('root with a umask of 077, where the packages were installed with it, too', async () => {
    const before = process.umask(0o077);
    const closed = join(folder, 'closed');
    try {
      await mkdir(closed);
      const { server, url } = await start('closed/postgres');
      await expect(query(url, 'select 1')).resolves.toBeDefined();
      await server.stop();
    } finally {
      process.umask(before);
      await rm(await realpath(join(closed, 'postgres')), { recursive: true });
    }
    const user = { name: 'other', uid: 12_345, gid: 12_345 };
    const installed = join(closed, 'native');
    for (const part of ['bin', 'lib', 'share']) {
      await mkdir(join(installed, part), { recursive: true, mode: 0o700 });
      await writeFile(join(installed, part, 'file'), '', { mode: 0o700 });
    }
    const copy = await reachableCopy(user, installed);
    expect(await canReach(user, join(copy, 'lib'))).toBe(true);
    expect((await stat(join(copy, 'lib', 'file'))).mode & 0o777).toBe(0o755);
    await rm(copy, { recursive: true });
  });

  itAsRoot(
    'root, in a folder that others cannot enter: the files go elsewhere, and a link leads there',
    async () => {
      const hidden = join(folder, 'hidden');
      await mkdir(hidden, { mode: 0o700 });
      const user = await findUnprivilegedUser(hidden);
      expect(user !== undefined && (await canReach(user, hidden))).toBe(false);
      const first = await start('hidden/postgres');
      await query(first.url, 'create table remembered (id int)');
      await first.server.stop();
      expect((await lstat(join(hidden, 'postgres'))).isSymbolicLink()).toBe(true);
      expect(notes.join()).toContain('cannot access');

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
