import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sendQuery, waitFor } from '@zonewright/testkit';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { insist } from '../support/clients.js';
import { RunningPlatform } from '../support/running-platform.js';
import { ATTACK_MS, IS_LONG_ATTACK } from './support/attack-length.js';
import { HonestDay } from './support/honest-day.js';
import { HonestPrimary } from './support/honest-primary.js';
import { createDomain, type SettledTenant, settleTenants } from './support/settle-tenants.js';

const TIMEOUT_MS = 300_000;
const HONEST = Array.from({ length: 9 }, (_, at) => `honest-${at}`);
const QUIET_MS = IS_LONG_ATTACK ? 60_000 : 1_000;
const LONGEST_MS = 120_000;
const HOSTILE_MS = IS_LONG_ATTACK ? Math.min(ATTACK_MS, LONGEST_MS) : 4_000;
const IMPORTED_RECORDS = IS_LONG_ATTACK ? 100_000 : 5_000;
/** Messages per second, a third of each kind. */
const FLOOD_RATE = IS_LONG_ATTACK ? 600 : 150;
const KINDS = ['batches', 'datagrams', 'imports', 'log-ins', 'secondaries', 'streams', 'updates'];
/** Maximum delay. It is asserted only in the long form, which needs a quiet machine. */
const MAY_DELAY_MS = 100;
const HOSTILE_PROGRAM = new URL('./support/hostile-tenant.mjs', import.meta.url);

let platform: RunningPlatform;
let honest: readonly SettledTenant[];
let hostile: SettledTenant;
let primary: HonestPrimary | undefined;

beforeAll(async () => {
  platform = await RunningPlatform.prepare();
  await platform.start({
    ZONEWRIGHT_CONSOLE: 'true',
    DNS_API_PRIVATE_PRIMARIES: 'true',
    DNS_API_MAX_DOMAINS: '40',
    DNS_API_MAX_DOMAIN_RECORDS: '200000',
    DNS_API_MAX_WRITE_BYTES_PER_MINUTE: String(2 ** 30),
    NAMESERVER_FEED_POLL_INTERVAL_MS: '100',
  });
  const all = await settleTenants(platform, [...HONEST, 'hostile']);
  honest = all.slice(0, HONEST.length);
  hostile = all.at(-1)!;
  const { zone } = (primary = new HonestPrimary('elsewhere.example.'));
  const { token } = honest[0]!;
  const { id } = await createDomain(platform, token, zone);
  const url = `http://127.0.0.1:${platform.ports.dns}/v1/domains/${id}/primaries`;
  await insist(url, { method: 'PUT', token, body: { primaries: [await primary.start()] } });
  await waitFor(async () => {
    const { rcode } = await sendQuery(platform.nameserver, zone, 'SOA');
    return rcode === 'NOERROR';
  }, 60_000);
}, TIMEOUT_MS);
afterAll(async () => {
  primary?.stop();
  await platform.remove();
}, TIMEOUT_MS);

type Counts = Record<string, Record<string, number>>;

/** Starts a process that attacks when it gets the end time. */
async function prepareAttack(): Promise<ChildProcess> {
  const make = async (name: string) =>
    await createDomain(platform, hostile.token, `${name}.hostile.example.`);
  const { ports } = platform;
  const urlOf = (port: number) => `http://127.0.0.1:${port}`;
  const child = fork(HOSTILE_PROGRAM, { execArgv: [], serialization: 'advanced' });
  child.send({
    urls: {
      dns: urlOf(ports.dns),
      identity: urlOf(ports.identity),
      console: urlOf(ports.console),
    },
    nameserver: platform.nameserver,
    tenant: hostile,
    zones: {
      batches: await make('batches'),
      updates: await make('updates'),
      imports: [await make('import-0'), await make('import-1')],
    },
    key: hostile.key,
    hosted: honest.map(({ zone }) => zone.name),
    usernames: honest.map(({ username }) => username),
    importedRecords: IMPORTED_RECORDS,
    floodRate: FLOOD_RATE,
  });
  await once(child, 'message');
  return child;
}

/** @returns the number of responses by kind of attack and outcome */
async function attack(child: ChildProcess, until: number): Promise<Counts> {
  const ended = once(child, 'exit');
  child.send(until);
  const [counts] = (await once(child, 'message')) as [Counts];
  await ended;
  return counts;
}

/** In the short form, other test files share the machine: some requests get no slot in time even without an attack. */
function expectServed({ refusals, times }: HonestDay): void {
  const isLate = (refusal: string) =>
    /: 503 .*could not answer in time|^update: SERVFAIL$/.test(refusal);
  const all = [...times.values()].reduce((sum, { length }) => sum + length, 0);
  const mayBeLate = IS_LONG_ATTACK ? 0 : Math.ceil(all / 25);
  expect(refusals.filter((refusal) => !isLate(refusal))).toEqual([]);
  expect(refusals.filter(isLate).length).toBeLessThanOrEqual(mayBeLate);
}

it(
  'one hostile tenant of ten uses everything at once, and the other nine are served as before',
  async () => {
    const quiet = new HonestDay(platform);
    await quiet.live(honest, primary!, Date.now() + QUIET_MS);
    expectServed(quiet);

    const attacker = await prepareAttack();
    const until = Date.now() + HOSTILE_MS;
    const attacked = new HonestDay(platform);
    const [counts] = await Promise.all([
      attack(attacker, until),
      attacked.live(honest, primary!, until),
    ]);
    process.stderr.write(`the hostile tenant was answered ${JSON.stringify(counts)}\n`);
    const rises = [...quiet.times.keys()].map((deed) => {
      const [before, during] = [quiet.p99(deed), attacked.p99(deed)];
      const many = attacked.times.get(deed)?.length;
      process.stderr.write(
        `${deed}: ${many}, p99 ${Math.round(before)} -> ${Math.round(during)} ms\n`,
      );
      return { deed, rise: during - before };
    });
    expect(Object.keys(counts).toSorted()).toEqual(KINDS);
    expectServed(attacked);
    if (IS_LONG_ATTACK) expect(rises.filter(({ rise }) => rise > MAY_DELAY_MS)).toEqual([]);
  },
  TIMEOUT_MS,
);
