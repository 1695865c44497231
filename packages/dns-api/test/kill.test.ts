import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DATABASE_ROLES } from '@zonewright/database';
import { freePort, useTestDatabase, waitFor } from '@zonewright/testkit';
import { readJournal, readRecordRows, replay, serialsOf } from './support/journal.js';
import { ScriptedIdentity } from './support/scripted-identity.js';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const CLIENTS = 8;
const KILLS = 5;

const database = useTestDatabase();
const identity = new ScriptedIdentity();
let environment: Record<string, string>;
let url = '';
let running: ChildProcess | undefined;

beforeAll(async () => {
  const [port, operationsPort] = [await freePort(), await freePort()];
  url = `http://127.0.0.1:${port}`;
  environment = {
    PATH: process.env['PATH'] ?? '',
    LOG_LEVEL: 'silent',
    DATABASE_URL: database.urlAs(DATABASE_ROLES.dnsApi),
    IDENTITY_URL: await identity.start(),
    DNS_API_HOST: '127.0.0.1',
    DNS_API_PORT: String(port),
    DNS_API_OPERATIONS_PORT: String(operationsPort),
    DNS_API_SERVICE_ACCESS_KEY: 'unused',
    DNS_API_SERVICE_SECRET_KEY: 'unused',
    DNS_API_MAX_DOMAIN_RECORDS: '100000',
  };
  await start();
});
afterAll(async () => {
  await kill();
  await identity.stop();
});

async function start(): Promise<void> {
  running = spawn(process.execPath, [MAIN], { env: environment, stdio: 'ignore' });
  await waitFor(async () => (await fetch(`${url}/v1`)).ok);
}

async function kill(): Promise<void> {
  if (running?.exitCode !== null) return;
  const exited = once(running, 'exit');
  running.kill('SIGKILL');
  await exited;
}

/** Sends a POST, and repeats it with its Idempotency-Key until it is answered. */
async function postUntilAnswered(path: string, body: object): Promise<{ id: string }> {
  const key = randomUUID();
  return await waitFor(async () => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: {
        'X-Auth-Token': 'token',
        'Content-Type': 'application/json',
        'Idempotency-Key': key,
      },
      body: JSON.stringify(body),
    });
    return response.status === 200 && ((await response.json()) as { id: string });
  }, 30_000);
}

describe('kill -9 of dns-api under load', () => {
  it('every write answered with 200 exists, none is partial, and a repeated POST creates one record', async () => {
    const zone = { name: 'killed.example.', email: 'a@example.com' };
    const { id: zoneId } = await postUntilAnswered('/v1/domains', zone);
    const answered: string[] = [];
    let sent = 0;
    let isOver = false;
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (!isOver) {
        sent += 1;
        const body = { name: `r${sent}.${zone.name}`, type: 'A', data: '192.0.2.1' };
        answered.push((await postUntilAnswered(`/v1/domains/${zoneId}/records`, body)).id);
      }
    });
    for (let round = 1; round <= KILLS; round += 1) {
      const target = answered.length + 20 + Math.floor(Math.random() * 30);
      await waitFor(() => answered.length >= target, 30_000);
      await kill();
      await start();
    }
    isOver = true;
    await Promise.all(clients);

    const rows = await readRecordRows(database.db, zoneId);
    expect(rows.map(({ id }) => String(id)).sort()).toEqual([...answered].sort());
    expect(rows).toHaveLength(sent);
    const journal = await readJournal(database.db, zoneId);
    expect(replay(journal)).toEqual(rows);
    expect(serialsOf(journal)).toHaveLength(journal.length);
  }, 120_000);
});
