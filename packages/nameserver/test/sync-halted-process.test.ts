import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { DATABASE_ROLES } from '@zonewright/database';
import {
  addNameservers,
  addRecord,
  addZone,
  sendQuery,
  freePort,
  useTestDatabase,
  waitFor,
} from '@zonewright/testkit';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const database = useTestDatabase();
const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const START_DEADLINE_MS = 15_000;
let child: ChildProcess | undefined;

beforeAll(async () => {
  await addNameservers(database.db);
});
afterEach(async () => {
  if (child === undefined || child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
});

describe('a nameserver process that is halted and continues', () => {
  it('catches up, and no zone gets an older serial', async () => {
    const id = await addZone(database.db, 'halted.example.');
    const port = await freePort();
    const server = { host: '127.0.0.1', port };
    child = spawn(process.execPath, [MAIN], {
      stdio: 'ignore',
      env: {
        PATH: process.env['PATH'],
        DATABASE_URL: database.urlAs(DATABASE_ROLES.nameserver),
        NAMESERVER_HOST: '127.0.0.1',
        NAMESERVER_PORT: String(port),
        NAMESERVER_OPERATIONS_PORT: '0',
        NAMESERVER_UDP_WORKERS: '1',
        NAMESERVER_RATE_LIMIT: 'false',
      },
    });
    const seen: number[] = [];
    const lookAtSerial = async (): Promise<number | undefined> => {
      const [soa] = (await sendQuery(server, 'halted.example', 'SOA')).answers;
      if (soa?.type !== 'SOA') return undefined;
      seen.push(soa.data.serial ?? 0);
      return soa.data.serial;
    };
    const reaches = async (serial: number): Promise<void> => {
      await waitFor(async () => {
        try {
          return (await lookAtSerial()) === serial;
        } catch {
          return false;
        }
      }, START_DEADLINE_MS);
    };
    await reaches(100);
    for (let round = 1; round <= 3; round++) {
      const name = `r${round}.halted.example.`;
      const changing = addRecord(database.db, id, { name, type: 'A', data: '192.0.2.1' });
      // The process can stop at any moment of its reading.
      child.kill('SIGSTOP');
      await changing;
      await addRecord(database.db, id, { name, type: 'A', data: '192.0.2.2' });
      child.kill('SIGCONT');
      await reaches(100 + 2 * round);
    }
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  });
});
