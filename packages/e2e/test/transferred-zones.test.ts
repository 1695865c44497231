import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type MessageRecord, wireToName } from '@zonewright/dns-records';
import {
  endWithThisProcess,
  freePort,
  type NameserverAddress,
  sendQuery,
  waitFor,
} from '@zonewright/testkit';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { authenticate, insist } from './support/clients.js';
import { listDisagreements } from './support/compared-answers.js';
import { ContentPrimary, rawRecord, soaRecord, textRecord } from './support/content-primary.js';
import { itWithAll, TIMEOUT_MS } from './support/foreign-programs.js';
import { RunningPlatform } from './support/running-platform.js';

/*
 * Compares the rows of docs/reference/transferred-zones.md with NSD and Knot, which take the same zones from the same
 * primary. dns-api/test/transferred-content tests the reasons of refusals.
 */

const A = 'c0000201';
const KEY = '0200030d00';
const DEADLINE_MS = 60_000;
const TYPES = ['A', 'NS', 'CNAME', 'DNAME', 'TXT', 'SOA', 'TYPE14', 'TYPE25', 'TYPE62', 'TYPE63'];
const MORE_TYPES = ['TYPE61440', 'TYPE65300'];

type ContentOf = (zone: string) => readonly MessageRecord[];

const at = (label: string, type: number, rdata: string, ttl = 300) => {
  return (zone: string) => rawRecord(`${label}.${zone}`, type, rdata, { ttl });
};
const all =
  (...records: ((zone: string) => MessageRecord)[]): ContentOf =>
  (zone) =>
    records.map((each) => each(zone));
const apex = (type: number, rdata: string) => (zone: string) => rawRecord(zone, type, rdata);
const ns = (label: string) => (zone: string) =>
  textRecord(`${label}.${zone}`, 'NS', 'ns.elsewhere.example.');
const cname = (label: string, to = 'x.example.') => {
  return (zone: string) => textRecord(`${label}.${zone}`, 'CNAME', to);
};

const SERVED: Readonly<Record<string, ContentOf>> = {
  'an unknown type': all(at('x', 65_300, '0a0b'), at('empty', 65_300, '')),
  'ZONEMD and CSYNC': all(apex(63, '0000000701010203'), apex(62, '0000000700030001')),
  DELEG: all(at('d', 61_440, '000100')),
  KEY: all(at('k', 25, KEY)),
  'KEY beside a CNAME': all(cname('k'), at('k', 25, KEY)),
  // The rdata points to the name in the question.
  'compressed names in the rdata of older types': all(at('m', 14, 'c00cc00c')),
  'names below a DNAME': all(
    at('d', 39, '0178076578616d706c6500'),
    at('www.d', 1, A),
    at('d.d', 39, '00'),
    ns('cut.d'),
  ),
  'names below a cut': all(
    ns('cut'),
    at('www.cut', 1, A),
    ns('deep.er.cut'),
    at('d.cut', 39, '00'),
  ),
  'a TTL with the high bit': all(at('x', 1, A, 0x8000_0001)),
  'names in capital letters': all(at('UPPER', 1, A), cname('ALIAS', 'UPPER.x.example.')),
  'a record twice': all(at('x', 1, A), at('X', 1, A)),
  'names with odd octets': all(at('\\000\\255', 1, A), at('a\\.b', 1, A), at('"\\032;', 1, A)),
  'names that users may not write': all(
    at('-a_--b-', 1, A),
    at('x.*', 1, A),
    at('l'.repeat(63), 1, A),
  ),
  'an RRset longer than a message': all(
    at('x', 65_300, 'aa'.repeat(30_000)),
    at('x', 65_300, 'bb'.repeat(30_000)),
    at('x', 65_300, 'cc'.repeat(30_000)),
  ),
};

/** Questions with other answers: the page says why. */
const DIFFERENT: Readonly<Record<string, RegExp>> = {
  'a TTL with the high bit': /^x\./,
};

/** Knot refuses these zones, so they are compared with NSD alone. */
const NOT_OF_KNOT = ['KEY beside a CNAME', 'names below a DNAME'];

/** Zones that are refused here, and whether Knot serves them. It leaves out what it does not take. */
const REFUSED: Readonly<Record<string, readonly [ContentOf, isOfKnot: boolean]>> = {
  'several SOA': [all((zone) => soaRecord(zone, 8)), true],
  'an SOA at another name': [all((zone) => soaRecord(`x.${zone}`)), true],
  'another class': [all((zone) => rawRecord(`x.${zone}`, 1, A, { class: 3 })), true],
  'a type of questions': [all(at('x', 255, '')), false],
  'a type of messages': [all(at('x', 41, '')), false],
  'type 0': [all(at('x', 0, '')), true],
  'NS at a wildcard': [all(ns('*'), at('www', 1, A)), true],
  'a name outside the zone': [all(() => rawRecord('x.other.example.', 1, A)), true],
  'rdata of another length': [all(at('x', 1, 'c00002')), false],
  'two CNAME': [all(cname('x', 'a.example.'), cname('x', 'b.example.')), false],
  'a CNAME beside an address': [all(cname('x'), at('x', 1, A)), false],
  'a DNAME beside a CNAME': [all(cname('x'), at('x', 39, '00')), false],
  'two DNAME': [all(at('x', 39, '00'), at('x', 39, '017800')), false],
};

const names = Object.keys({ ...SERVED, ...REFUSED });
/** NSD reloads, and closes connections, each time it has refused a zone, so it gets only the others. */
const zonesOf = (name: Follower) => (name === 'nsd' ? Object.keys(SERVED) : names).map(zoneOf);
const zoneOf = (name: string) => `t${names.indexOf(name)}.test.`;

type Follower = 'nsd' | 'knotd';

/** Configuration of a secondary of all zones, and its arguments. */
function configure(name: Follower, folder: string, port: number, primary: number) {
  const zones = zonesOf(name);
  if (name === 'nsd') {
    const each = (zone: string) =>
      `zone:\n  name: "${zone}"\n  zonefile: "${zone}"\n  request-xfr: AXFR 127.0.0.1@${primary} NOKEY\n`;
    return {
      text: `server:
  ip-address: 127.0.0.1@${port}
  username: ""
  zonesdir: "${folder}"
  database: ""
  pidfile: "${folder}/pid"
  zonelistfile: "${folder}/zone.list"
  xfrdfile: "${folder}/xfrd.state"
  xfrdir: "${folder}"
  xfrd-reload-timeout: 0
  rrl-ratelimit: 0
remote-control:
  control-enable: no
${zones.map(each).join('')}`,
      args: ['-d', '-c', join(folder, 'config')],
    };
  }
  return {
    text: `server:
  rundir: "${folder}"
  listen: 127.0.0.1@${port}
database:
  storage: "${folder}"
log:
  - target: stderr
    any: error
remote:
  - id: primary
    address: 127.0.0.1@${primary}
template:
  - id: default
    storage: "${folder}"
    master: primary
    semantic-checks: off
    zonefile-sync: -1
    zonefile-load: none
    journal-content: none
zone:
${zones.map((zone) => `  - domain: "${zone}"\n`).join('')}`,
    args: ['-c', join(folder, 'config')],
  };
}

const itHere = itWithAll(['nsd', 'knotd']);
const isReady = itHere === it;

describe('What a transfer brings, beside NSD and Knot as secondaries of the same primary', () => {
  const primary = new ContentPrimary();
  const ids = new Map<string, string>();
  const started: { readonly child: ChildProcess; readonly folder: string }[] = [];
  const others: { readonly host: string; readonly port: number }[] = [];
  let platform: RunningPlatform;
  let token = '';

  async function api<T>(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<T> {
    const url = `http://127.0.0.1:${platform.ports.dns}/v1${path}`;
    const answer = await insist(url, { method, token, body });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body as T;
  }

  async function startFollower(name: Follower, primaryPort: number): Promise<void> {
    const folder = mkdtempSync(join(tmpdir(), `zonewright-${name}-`));
    const port = await freePort();
    const { text, args } = configure(name, folder, port, primaryPort);
    writeFileSync(join(folder, 'config'), text);
    const child = spawn(name, args, { stdio: 'ignore' });
    endWithThisProcess(child, 'KILL');
    started.push({ child, folder });
    others.push({ host: '127.0.0.1', port });
  }

  const isServed = async (server: { host: string; port: number }, name: string) => {
    const query = sendQuery(server, zoneOf(name).slice(0, -1), 'SOA', { timeoutMs: 1_000 });
    const found = await query.catch(() => undefined);
    return found?.rcode === 'NOERROR' && found.answers.length > 0;
  };

  beforeAll(async () => {
    if (!isReady) return;
    platform = await RunningPlatform.prepare();
    await platform.start({ DNS_API_PRIVATE_PRIMARIES: 'true', DNS_API_MAX_DOMAINS: '100' });
    token = await authenticate(await platform.readDemoEnvironment());
    for (const name of names) {
      const zone = zoneOf(name);
      const contentOf = SERVED[name] ?? REFUSED[name]![0];
      primary.zones.set(zone, [
        textRecord(zone, 'NS', 'ns.elsewhere.example.'),
        ...contentOf(zone),
      ]);
    }
    const port = await primary.start();
    await startFollower('nsd', port);
    await startFollower('knotd', port);
    for (const name of names) {
      const body = { name: zoneOf(name), email: 'a@b.example' };
      const { id } = await api<{ id: string }>('POST', '/domains', body);
      ids.set(name, id);
      await api('PUT', `/domains/${id}/primaries`, { primaries: [{ address: '127.0.0.1', port }] });
    }
  }, 2 * TIMEOUT_MS);

  afterAll(async () => {
    if (!isReady) return;
    for (const { child, folder } of started) {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    }
    primary.stop();
    await platform.remove();
  });

  itHere.each(Object.keys(SERVED))(
    'is answered as NSD and Knot answer it: %s',
    async (name) => {
      const [nsd, knot] = others as [NameserverAddress, NameserverAddress];
      // Two equal answers count.
      const compared = NOT_OF_KNOT.includes(name) ? [nsd, nsd] : [nsd, knot];
      for (const server of [platform.nameserver, ...compared]) {
        await waitFor(() => isServed(server, name), DEADLINE_MS);
      }
      const zone = zoneOf(name);
      const owners = (primary.zones.get(zone) ?? []).map((record) => wireToName(record.name));
      const around = [zone, ...owners].flatMap((each) => [each, `zz.${each}`, `a.b.${each}`]);
      const questions = [...new Set(around)].flatMap((each) =>
        [...TYPES, ...MORE_TYPES].map((type) => `${each} ${type}`),
      );
      const equal = questions.filter((each) => DIFFERENT[name]?.test(each) !== true);
      expect(await listDisagreements(platform.nameserver, compared, equal)).toEqual([]);
    },
    TIMEOUT_MS,
  );

  itHere.each(Object.entries(REFUSED))(
    'is refused as a whole, with a reason: %s',
    async (name, [, isOfKnot]) => {
      const path = `/domains/${ids.get(name) ?? ''}/primaries`;
      await waitFor(async () => {
        const { reason } = await api<{ reason: string | null }>('GET', path);
        return reason !== null;
      }, DEADLINE_MS);
      expect(await isServed(platform.nameserver, name)).toBe(false);
      await waitFor(async () => (await isServed(others[1]!, name)) === isOfKnot, DEADLINE_MS);
    },
    TIMEOUT_MS,
  );
});
