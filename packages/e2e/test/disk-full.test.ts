import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { DATABASE_ROLES } from '@zonewright/database';
import { addNameservers, addZone, sendQuery, useTestDatabase, waitFor } from '@zonewright/testkit';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from './support/running-platform.js';
import { describeWithSmallDisk, SmallDisk } from './support/small-disk.js';

const MEGABYTE = 1_048_576;
const NOWHERE = 'postgres://nobody@127.0.0.1:1/none';
/** Time limit on a busy machine. A snapshot is attempted each second. */
const WRITTEN_WITHIN_MS = 20_000;
/** File of a writer that was killed. No process has this id. */
const HALF_FILE = 'zones.snapshot.4194305.killed.new';

describeWithSmallDisk('the disk is full when the snapshot is written', () => {
  const database = useTestDatabase();
  let disk: SmallDisk;
  let nameserver: ChildProcess | undefined;
  let addresses: { readonly dns: string; readonly operations: string };
  let log = '';

  beforeAll(async () => {
    await addNameservers(database.db);
    await addZone(database.db, 'small.example.', [
      { name: 'www.small.example.', type: 'A', data: '192.0.2.1' },
    ]);
    disk = await SmallDisk.mount(2 * MEGABYTE);
  });
  afterEach(kill);
  afterAll(() => disk.unmount());

  async function start(databaseUrl: string): Promise<void> {
    log = '';
    nameserver = fork(join(PROJECT, 'packages/nameserver/dist/main.js'), [], {
      ...disk.launcher,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: {
        DATABASE_URL: databaseUrl,
        NAMESERVER_NAME: 'ns1-1',
        NAMESERVER_HOST: '127.0.0.1',
        NAMESERVER_PORT: '0',
        NAMESERVER_OPERATIONS_PORT: '0',
        NAMESERVER_IMAGE_BYTES: String(64 * MEGABYTE),
        NAMESERVER_SNAPSHOT_DIR: disk.folder,
        NAMESERVER_SNAPSHOT_INTERVAL_SECONDS: '1',
      },
    });
    for (const stream of [nameserver.stdout, nameserver.stderr]) {
      stream?.on('data', (chunk: Buffer) => (log += chunk.toString()));
    }
    const [message] = (await once(nameserver, 'message')) as [{ addresses: typeof addresses }];
    ({ addresses } = message);
  }

  async function kill(): Promise<void> {
    if (nameserver?.exitCode !== null || nameserver.signalCode !== null) return;
    const exited = once(nameserver, 'exit');
    nameserver.kill('SIGKILL');
    await exited;
  }

  async function answersOf(name: string, type: 'A' | 'TXT' = 'TXT'): Promise<number> {
    const [host = '', port] = addresses.dns.split(':');
    return (await sendQuery({ host, port: Number(port) }, name, type, { transport: 'tcp' })).answers
      .length;
  }

  async function metric(name: string): Promise<number> {
    const text = await (
      await fetch(`http://${addresses.operations.replace(/^http:\/\//, '')}/metrics`)
    ).text();
    return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1] ?? 0);
  }

  const files = () =>
    readdirSync(disk.seenFromOutside)
      .filter((name) => name !== 'mounted')
      .sort();
  const snapshot = () => readFileSync(join(disk.seenFromOutside, 'zones.snapshot'));

  it('a log line and a metric report it, answers continue, the last snapshot stays complete, and no partial file remains', async () => {
    await start(database.urlAs(DATABASE_ROLES.nameserver));
    await waitFor(
      async () => (await metric('zonewright_nameserver_snapshot_written_timestamp_seconds')) > 0,
      WRITTEN_WITHIN_MS,
    );
    const texts = Array.from({ length: 150 }, (_, at) => ({
      name: `t${at}.large.example.`,
      type: 'TXT',
      data: `${at} `.padEnd(20_000, 'x'),
    }));
    await addZone(database.db, 'large.example.', texts);
    const untilFailed = async (times: number) =>
      await waitFor(
        async () => (await metric('zonewright_nameserver_snapshot_failures_total')) >= times,
        WRITTEN_WITHIN_MS,
      );
    await untilFailed(1);
    // Another snapshot may have been written before the large zone arrived.
    const before = snapshot();
    await untilFailed(3);
    expect(log).toMatch(/ENOSPC.*a snapshot could not be written/s);
    expect(await answersOf('t149.large.example')).toBe(1);
    await waitFor(() => !files().some((name) => name.endsWith('.new')));
    expect(snapshot().equals(before)).toBe(true);
  }, 60_000);

  it('a start loads the existing snapshot, and files of a killed writer are removed', async () => {
    writeFileSync(join(disk.seenFromOutside, HALF_FILE), snapshot().subarray(0, 100_000));
    await start(NOWHERE);
    expect(await answersOf('www.small.example', 'A')).toBe(1);
    expect(files()).not.toContain(HALF_FILE);
  }, 60_000);

  it('with free space again the next snapshot contains everything', async () => {
    await start(database.urlAs(DATABASE_ROLES.nameserver));
    await waitFor(
      async () => (await metric('zonewright_nameserver_snapshot_failures_total')) > 0,
      WRITTEN_WITHIN_MS,
    );
    disk.resize(64 * MEGABYTE);
    await waitFor(
      async () => (await metric('zonewright_nameserver_snapshot_written_timestamp_seconds')) > 0,
      WRITTEN_WITHIN_MS,
    );
    await kill();
    await start(NOWHERE);
    expect(await answersOf('t149.large.example')).toBe(1);
  }, 60_000);
});
