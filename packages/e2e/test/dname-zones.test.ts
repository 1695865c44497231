import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hasUnbound, sendQuery, ValidatingResolver, waitFor } from '@zonewright/testkit';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { authenticate, insist } from './support/clients.js';
import { listDisagreements, listProvable } from './support/compared-answers.js';
import { listPresent } from './support/foreign-nameserver.js';
import { itWithAll, run, TIMEOUT_MS } from './support/foreign-programs.js';
import { PRIMARY_KINDS, PrimaryServer } from './support/primaries.js';
import { RunningPlatform } from './support/running-platform.js';
import { KINDS, type PeerBody, Secondary } from './support/secondaries.js';

/** The cases of the nameserver's own tests, which compare what a zone is compiled to. */
const CASES = readFileSync(
  new URL('../../nameserver/test/support/dname.zone', import.meta.url),
  'utf8',
);
const CASES_ORIGIN = 'dname.test.';
const OWN = 'own-dname.test.';
const FOLLOWED = 'knot-dname.test.';
const DEADLINE_MS = 60_000;
const LEAST_CASES = 40;
const LEAST_QUESTIONS = 1_000;

/** What is asked about each name, and about names beside and below it. */
const TYPES = ['A', 'TXT', 'DS', 'CNAME', 'DNAME', 'NS', 'MX'];
const LABELS = ['zz', '0.1', 'www', 'alias', 'out', 'er', 'www.child', 'any.wild', 'target'];

/** Chains that never end, or end at a name that is too long: Unbound answers SERVFAIL or YXDOMAIN. */
const ENDLESS =
  /\b(left|right|self|inner|to-loop|looping|looped|to-looping|long)\.|^(to-loop|www\.loop)/;

/** PowerDNS is not one of those that the answers must equal. */
const SERVERS = ['nsd', 'knot', 'bind'];
const kinds = listPresent(KINDS.filter(({ name }) => SERVERS.includes(name)));
const [knot] = listPresent(PRIMARY_KINDS.filter(({ name }) => name === 'knot'));
const isReady = kinds.length === SERVERS.length && knot !== undefined && hasUnbound();
const itHere = isReady ? itWithAll(['kzonesign', 'keymgr']) : it.skip;

/** Owners of records in the cases, as names of a zone. */
function listOwners(zone: string): string[] {
  const lines = CASES.split('\n').filter((line) => /^[^;$\s]/.test(line));
  const owners = lines.map((line) => line.split(' ')[0] ?? '');
  return [...new Set(owners)].map((owner) => (owner === '@' ? zone : `${owner}.${zone}`));
}

function listQuestions(zone: string): string[] {
  const owners = listOwners(zone);
  const around = owners.flatMap((name) => LABELS.map((label) => `${label}.${name}`));
  return [
    ...owners.flatMap((name) => TYPES.map((type) => `${name} ${type}`)),
    ...around.flatMap((name) => ['A', 'DNAME', 'DS'].map((type) => `${name} ${type}`)),
  ];
}

describe('A zone of DNAME cases, as own records and as a secondary zone of Knot (RFC 6672)', () => {
  let platform: RunningPlatform;
  let token = '';
  let primary: PrimaryServer | undefined;
  const anchors = new Map<string, string>();
  const secondaries = new Map<string, Secondary[]>();

  async function api<T>(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<T> {
    const url = `http://127.0.0.1:${platform.ports.dns}/v1${path}`;
    const answer = await insist(url, { method, token, body });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body as T;
  }

  async function serialOf(zone: string): Promise<number | undefined> {
    const { answers } = await sendQuery(platform.nameserver, zone, 'SOA');
    return (answers as readonly { data?: { serial?: number } }[])[0]?.data?.serial;
  }

  const createZone = (name: string) =>
    api<{ id: string }>('POST', '/domains', { name, email: `hostmaster@${name.slice(0, -1)}` });

  /** Imports the cases, and has the zone signed by the platform's own signer. */
  async function makeOwnZone(): Promise<void> {
    const { id } = await createZone(OWN);
    const lines = CASES.split('\n').filter((line) => !/^@ (SOA|NS) /.test(line));
    const zonefile = lines.join('\n').replaceAll(CASES_ORIGIN, OWN);
    await api('POST', `/domains/${id}/import`, { zonefile });
    await api('PUT', `/domains/${id}/dnssec`, { enabled: true });
    const state = await waitFor(async () => {
      const shown = await api<{ state: string; ds: string[] }>('GET', `/domains/${id}/dnssec`);
      return shown.state === 'signed' && shown;
    }, DEADLINE_MS);
    anchors.set(OWN, `${OWN} DS ${state.ds[0] ?? ''}`);
    const { serial } = await api<{ serial: number }>('GET', `/domains/${id}`);
    await waitFor(async () => (await serialOf(OWN)) === serial, DEADLINE_MS);
  }

  /** Has Knot sign the cases and serve them as the primary of a zone of ours. */
  async function makeFollowedZone(): Promise<void> {
    const secret = randomBytes(32).toString('base64');
    const key = { name: 'key-dname', algorithm: knot!.algorithm, secret };
    primary = await PrimaryServer.prepare(knot!, FOLLOWED, key);
    const { text, anchor } = signWithKnot(FOLLOWED);
    anchors.set(FOLLOWED, anchor);
    primary.serve(text, platform.ports.nameserver);
    await primary.startServing();
    const { id } = await createZone(FOLLOWED);
    const primaries = [{ address: '127.0.0.1', port: primary.port }];
    await api('PUT', `/domains/${id}/primaries`, { primaries, key });
    const serial = await primary.serial();
    await waitFor(async () => (await serialOf(FOLLOWED)) === serial, DEADLINE_MS);
  }

  /** NSD, Knot and BIND take the zone from us. */
  async function addSecondaries(zone: string): Promise<void> {
    const serial = await serialOf(zone);
    const started: Secondary[] = [];
    secondaries.set(zone, started);
    for (const kind of kinds) {
      const secondary = await Secondary.prepare(kind, (port) =>
        api<PeerBody>('POST', '/peers', {
          name: `${kind.name} ${zone}`,
          networks: ['127.0.0.0/8'],
          notify: [{ address: '127.0.0.1', port }],
          catalog: kind.hasCatalogs,
          algorithm: kind.algorithm,
        }),
      );
      started.push(secondary);
      secondary.follow(zone, platform.ports.nameserver);
      secondary.start();
    }
    for (const each of started) await each.waitForSerial(zone, serial ?? 0, DEADLINE_MS);
  }

  beforeAll(async () => {
    if (!isReady) return;
    platform = await RunningPlatform.prepare();
    await platform.start({
      DNS_API_PRIVATE_PRIMARIES: 'true',
      DNS_API_PRIVATE_PEERS: 'true',
      DNS_API_MAX_PEERS: '20',
      MX_TARGET_CHECK: 'off',
      NAMESERVER_FEED_POLL_INTERVAL_MS: '100',
    });
    token = await authenticate(await platform.readDemoEnvironment());
    await makeOwnZone();
    await makeFollowedZone();
    for (const zone of [OWN, FOLLOWED]) await addSecondaries(zone);
  }, 2 * TIMEOUT_MS);

  afterAll(async () => {
    if (!isReady) return;
    for (const secondary of [...secondaries.values()].flat()) await secondary.remove();
    await primary?.remove();
    await platform.remove();
  });

  it('has forty cases', () => {
    expect(CASES.match(/^[^;\s]\S* (\d+ )?DNAME /gm)?.length).toBeGreaterThanOrEqual(LEAST_CASES);
  });

  itHere.each([OWN, FOLLOWED])(
    '%s: no answer differs from one that two of NSD, Knot and BIND agree on',
    async (zone) => {
      const others = (secondaries.get(zone) ?? []).map(({ port }) => ({ host: '127.0.0.1', port }));
      const questions = listQuestions(zone);
      expect(await listDisagreements(platform.nameserver, others, questions)).toEqual([]);
      expect(questions.length).toBeGreaterThan(LEAST_QUESTIONS);
    },
    2 * TIMEOUT_MS,
  );

  itHere.each([OWN, FOLLOWED])(
    '%s: Unbound validates every answer that ends in the zone',
    async (zone) => {
      const resolver = await ValidatingResolver.start(platform.nameserver, {
        zones: [zone],
        anchors: [anchors.get(zone) ?? ''],
      });
      try {
        const questions = await listProvable(zone, platform.nameserver, listQuestions(zone));
        const unproven: string[] = [];
        for (const question of questions) {
          const [name = '', type = ''] = question.split(' ');
          const options = { isValidated: true, timeoutMs: 8_000 };
          const answer = await sendQuery(resolver.address, name, type as 'A', options);
          if (!answer.isAuthentic) unproven.push(`${question} ${answer.rcode}`);
        }
        const failures = resolver.readLog().match(/.*(validation failure|bogus).*/g);
        expect(failures).toBeNull();
        expect(unproven.filter((question) => !ENDLESS.test(question))).toEqual([]);
        expect(questions.length).toBeGreaterThan(LEAST_QUESTIONS);
      } finally {
        await resolver.stop();
      }
    },
    3 * TIMEOUT_MS,
  );
});

/** Signs the cases as a zone of this name with `kzonesign`, with NSEC3. Returns its text and a trust anchor. */
function signWithKnot(zone: string): { readonly text: string; readonly anchor: string } {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-dname-'));
  try {
    writeFileSync(join(folder, 'zone'), CASES.replaceAll(CASES_ORIGIN, zone));
    const config = join(folder, 'config');
    writeFileSync(
      config,
      `database:
  storage: "${folder}"
policy:
  - id: hashed
    single-type-signing: on
    nsec3: on
    nsec3-iterations: 0
    nsec3-salt-length: 0
zone:
  - domain: ${zone}
    storage: "${folder}"
    file: zone
    dnssec-policy: hashed
    dnssec-signing: on
    semantic-checks: off
`,
    );
    const call = (program: string, ...args: string[]) => {
      const { status, stdout, stderr } = run(program, args);
      if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`);
      return stdout;
    };
    call('kzonesign', '-c', config, '-o', folder, zone);
    const ds = call('keymgr', '-c', config, zone, 'ds').split('\n');
    const anchor = ds.find((line) => / DS \d+ \d+ 2 /.test(line)) ?? '';
    const text = readFileSync(join(folder, 'zone'), 'utf8');
    return { text, anchor: anchor.replace(/ IN DS /, ' DS ') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
