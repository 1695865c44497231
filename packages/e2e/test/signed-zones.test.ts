import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openDatabase, type Database } from '@zonewright/database';
import {
  sendQuery,
  faultSeed,
  hasUnbound,
  type NameserverAddress,
  seededRandom,
  ValidatingResolver,
  waitFor,
} from '@zonewright/testkit';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { authenticate, insist } from './support/clients.js';
import { itWithAll, run } from './support/foreign-programs.js';
import { NameserverProcess } from './support/nameserver-process.js';
import { readOperatorEnvironment } from './support/operate.js';
import { hasProcessClock, ProcessClock } from './support/process-clock.js';
import { RunningPlatform } from './support/running-platform.js';
import { INSPECTORS, SignedZoneInspectors } from './support/signed-zone-inspectors.js';

const PARENT = 'parent.example.';
/**
 * Names below the parent at which zones are created and deleted, some below others, some below names without records.
 */
const CHILDREN = ['kid', 'a.kid', 'kids', 'x.deep', 'b.x.deep', '0'].map(
  (labels) => `${labels}.${PARENT}`,
);
/** Number of changes. `npm run test:faults` uses 200. */
const CHANGES = Number(process.env['ZONEWRIGHT_HIERARCHY_CHANGES'] ?? 6);
const DEADLINE_MS = 60_000;
const DAY_SECONDS = 86_400;

const itWithUnbound = hasUnbound() ? it : it.skip;
const itByClock = hasProcessClock ? itWithAll(['unbound', 'dig']) : it.skip;

const itInspected = itWithAll(INSPECTORS.programs, INSPECTORS.conditions);

interface Child {
  readonly id: string;
  isSigned: boolean;
}

describe('signed zones, one below the other, and without a signer', () => {
  let platform: RunningPlatform;
  let db: Database;
  let token: string;
  let parentId: string;

  beforeAll(async () => {
    platform = await RunningPlatform.prepare();
    await platform.start({ DNS_API_MAX_DOMAINS: '1000' });
    token = await authenticate(await platform.readDemoEnvironment());
    db = openDatabase({
      url: readOperatorEnvironment(platform)['DATABASE_URL'] ?? '',
      applicationName: 'signed-zones',
      maxConnections: 1,
    });
    parentId = await createZone(PARENT);
    await sign(parentId);
  }, 150_000);
  afterAll(async () => {
    await db.destroy();
    await platform.remove();
  });

  async function api(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) {
    const url = `http://127.0.0.1:${platform.ports.dns}/v1/domains${path}`;
    const answer = await insist(url, { method, token, body });
    expect({ path, isDone: answer.status < 300 || answer }).toEqual({ path, isDone: true });
    return answer.body as Record<string, unknown>;
  }

  /** Creates a zone with an address, and one below a label. */
  async function createZone(name: string): Promise<string> {
    const { id } = await api('POST', '', { name, email: 'hostmaster@example.com' });
    for (const owner of ['www', 'far.out']) {
      const record = { name: `${owner}.${name}`, type: 'A', data: '192.0.2.1' };
      await api('POST', `/${String(id)}/records`, record);
    }
    return String(id);
  }

  async function sign(id: string, algorithm = 13): Promise<void> {
    await api('PUT', `/${id}/dnssec`, { enabled: true, algorithm });
    await waitFor(async () => (await api('GET', `/${id}/dnssec`))['cds'] === 'wait', DEADLINE_MS);
  }

  /** Announces the DS as if the earlier TTL had passed. It is repeated if the signer overwrites it. */
  async function announceDs(id: string): Promise<void> {
    await waitFor(async () => {
      await db.raw(
        `update dns.zone_keys as k set ds_from = now() - interval '1 second' where k.domain_id = ? and k.ds_from > now()`,
        [id],
      );
      await db.raw('update dns.zone_dnssec as z set next_resign_at = now() where z.domain_id = ?', [
        id,
      ]);
      return (await api('GET', `/${id}/dnssec`))['cds'] === 'publish';
    }, DEADLINE_MS);
  }

  /** Waits until the nameserver has the state of the database. */
  async function awaitPublication(
    server: NameserverAddress,
    names: readonly string[],
  ): Promise<void> {
    await waitFor(async () => {
      const { rows } = await db.raw<{ rows: { name: string; serial: string }[] }>(
        'select d.name, d.serial from dns.domains as d where d.name = any(?::text[]) and d.deleted_at is null',
        [[...names]],
      );
      for (const { name, serial } of rows) {
        const { answers } = await sendQuery(server, name, 'SOA');
        const soa = answers.find((answer) => answer.type === 'SOA');
        if (soa?.data.serial !== Number(serial)) return false;
      }
      return true;
    }, DEADLINE_MS);
  }

  async function readAnchor(id: string): Promise<string> {
    const { ds } = (await api('GET', `/${id}/dnssec`)) as { ds: string[] };
    return ds[0] ?? '';
  }

  itWithUnbound(
    `RFC 8198: a resolver that believes the NSEC of the parent finds all zones below it, after each of ${CHANGES} changes`,
    async () => {
      const random = seededRandom(faultSeed());
      const children = new Map<string, Child>();

      async function changeSomething(): Promise<string> {
        const name = CHILDREN[Math.floor(random() * CHILDREN.length)]!;
        const child = children.get(name);
        const isAbove = [...children.keys()].some((other) => other.endsWith(`.${name}`));
        if (child === undefined) {
          const id = await createZone(name);
          children.set(name, { id, isSigned: false });
          return `${name} comes`;
        }
        if (!child.isSigned && random() < 0.7) {
          await sign(child.id);
          await announceDs(child.id);
          child.isSigned = true;
          return `${name} is signed`;
        }
        // A domain with others below it is not deleted.
        if (isAbove) return `${name} stays`;
        await api('DELETE', `/${child.id}`);
        children.delete(name);
        return `${name} goes`;
      }

      /** Whether all zones from the parent down to a name are signed. */
      const isSecure = (zone: string) =>
        [...children].every(
          ([name, { isSigned }]) => isSigned || (zone !== name && !zone.endsWith(`.${name}`)),
        );
      const existing = () =>
        [PARENT, ...children.keys()].flatMap((zone) =>
          [zone, `www.${zone}`, `far.out.${zone}`, `out.${zone}`].map((name) => ({ zone, name })),
        );
      const missing = () =>
        [PARENT, ...children.keys()].flatMap((zone) =>
          ['!', 'a0', 'kic', 'kidz', 'www0', 'zz', 'x.www'].map((label) => ({
            zone,
            name: `${label}.${zone}`,
          })),
        );

      for (let count = 1; count <= CHANGES; count += 1) {
        const change = await changeSomething();
        await awaitPublication(platform.nameserver, [PARENT, ...children.keys()]);
        const unbound = await ValidatingResolver.start(platform.nameserver, {
          // All zones: after an answer about the DS of a grandchild, Unbound looks for the servers of the zone in
          // between, which lead nowhere here.
          zones: [PARENT, ...children.keys()],
          anchors: [`${PARENT} DS ${await readAnchor(parentId)}`],
        });
        try {
          const questions = [
            ...missing().map((question) => ({ ...question, rcode: 'NXDOMAIN' })),
            ...existing().map((question) => ({ ...question, rcode: 'NOERROR' })),
          ].sort(() => random() - 0.5);
          for (const { zone, name, rcode } of questions) {
            const type = name === zone ? 'SOA' : 'A';
            const options = { isValidated: true, timeoutMs: 8_000 };
            const said = await sendQuery(unbound.address, name, type, options);
            const why = said.rcode === 'SERVFAIL' ? unbound.readLog() : '';
            expect({ change, name, why, rcode: said.rcode, isSecure: said.isAuthentic }).toEqual({
              ...{ change, name, why: '', rcode },
              isSecure: isSecure(zone),
            });
            const isFound = said.answers.length > 0 || name.startsWith('out.');
            expect({ change, name, isFound }).toEqual({
              change,
              name,
              isFound: rcode === 'NOERROR',
            });
          }
        } finally {
          await unbound.stop();
        }
      }
    },
    DEADLINE_MS + CHANGES * 20_000,
  );

  itInspected(
    'zonemaster-cli and dnsviz find nothing wrong, of either algorithm',
    async () => {
      const snapshots = mkdtempSync(join(tmpdir(), 'zonewright-snapshots-'));
      /** Names to query, some of them without an address. */
      const found = ['www', 'far.out', 'out', 'alias', 'x.wild'];
      const zones: { id: string; name: string }[] = [];
      for (const algorithm of [13, 15]) {
        const name = `by-${algorithm}.example.`;
        const id = await createZone(name);
        for (const record of [
          { name: `*.wild.${name}`, type: 'TXT', data: '"any"' },
          { name: `alias.${name}`, type: 'CNAME', data: `www.${name}` },
        ]) {
          await api('POST', `/${id}/records`, record);
        }
        await sign(id, algorithm);
        await announceDs(id);
        zones.push({ id, name });
      }
      const nameserver = new NameserverProcess(platform, 'ns1-3', {
        NAMESERVER_SNAPSHOT_DIR: snapshots,
        NAMESERVER_SNAPSHOT_INTERVAL_SECONDS: '1',
      });
      let inspectors: SignedZoneInspectors | undefined;
      try {
        await nameserver.start();
        await awaitPublication(
          nameserver.address,
          zones.map(({ name }) => name),
        );
        // The snapshot contains everything that the nameserver read when it started.
        await waitFor(() => existsSync(join(snapshots, 'zones.snapshot')), DEADLINE_MS);
        const { answers } = await sendQuery(nameserver.address, zones[0]!.name, 'NS');
        await nameserver.kill();
        const servers = answers.flatMap((answer) => (answer.type === 'NS' ? answer.data : []));
        inspectors = new SignedZoneInspectors(snapshots, servers);
        const inspections = inspectors.inspect(
          await Promise.all(
            zones.map(async ({ id, name }) => {
              const { ds, dnskey } = (await api('GET', `/${id}/dnssec`)) as {
                ds: string[];
                dnskey: string[];
              };
              const names = [...found, 'missing'].map((label) => `${label}.${name}`);
              return { name, ds, dnskey, names };
            }),
          ),
        );
        for (const [at, { complaints, remarks, statuses }] of inspections.entries()) {
          const { name } = zones[at]!;
          expect(complaints).toEqual([]);
          for (const remark of ['ALGORITHM_OK', 'DS10_HAS_NSEC', 'DS15_HAS_CDS_AND_CDNSKEY']) {
            expect(remarks.filter((line) => line.includes(remark))).not.toEqual([]);
          }
          for (const owner of [name, ...found.map((label) => `${label}.${name}`)]) {
            expect([owner, statuses[owner]]).toEqual([owner, ['NOERROR', 'SECURE', 'VALID']]);
          }
          expect(statuses[`missing.${name}`]).toEqual(['NXDOMAIN', 'SECURE', 'VALID']);
        }
      } finally {
        await nameserver.kill();
        inspectors?.remove();
        rmSync(snapshots, { recursive: true, force: true });
      }
    },
    DEADLINE_MS * 4,
  );

  itByClock(
    'RFC 4035 s5.3.1: 13 days without database and signer, from the last moment before a renewal, and every answer still validates',
    async () => {
      const name = 'kept.example.';
      const id = await createZone(name);
      for (const record of [
        { name: `*.wild.${name}`, type: 'TXT', data: '"any"' },
        { name: `cut.${name}`, type: 'NS', data: 'ns.example.net.' },
        { name: `alias.${name}`, type: 'CNAME', data: `www.${name}` },
      ]) {
        await api('POST', `/${id}/records`, record);
      }
      await sign(id);
      await announceDs(id);
      const anchors = [`${name} DS ${await readAnchor(id)}`];
      const { rows } = await db.raw<{ rows: { seconds: number }[] }>(
        `select cast(extract(epoch from min(n.resign_at) - now()) as float8) as seconds from dns.signed_names as n where n.domain_id = ?`,
        [id],
      );
      const renewal = Math.floor(rows[0]!.seconds);
      const clock = await ProcessClock.create();
      const nameserver = new NameserverProcess(platform, 'ns1-2', clock.env);
      try {
        await nameserver.start();
        await awaitPublication(nameserver.address, [name]);
        // Only the nameserver keeps running.
        await platform.signal('SIGINT');
        await clock.set(renewal + 13 * DAY_SECONDS);
        const found = [
          ...[`www.${name} A`, `${name} SOA`, `${name} NS`, `${name} DNSKEY`],
          ...[`far.out.${name} A`, `x.wild.${name} TXT`, `alias.${name} A`, `alias.${name} DS`],
        ];
        const missing = [
          ...[`www.${name} AAAA`, `missing.${name} A`, `x.wild.${name} A`, `out.${name} A`],
          `cut.${name} DS`,
        ];
        const verdicts = async (days: number) => {
          const time = new Date(Date.now() + (renewal + days * DAY_SECONDS) * 1_000);
          const unbound = await ValidatingResolver.start(nameserver.address, {
            ...{ zones: [name], anchors, time },
          });
          try {
            return await Promise.all(
              [...found, ...missing].map(async (question) => {
                const [owner = '', type = ''] = question.split(' ');
                const options = { isValidated: true, timeoutMs: 8_000 };
                const said = await sendQuery(
                  unbound.address,
                  owner,
                  type as Parameters<typeof sendQuery>[2],
                  options,
                );
                return [question, said.isAuthentic, said.answers.length > 0, said.rcode];
              }),
            );
          } finally {
            await unbound.stop();
          }
        };
        expect(await verdicts(13)).toEqual([
          ...found.map((question) => [question, true, true, 'NOERROR']),
          ...missing.map((question) => [
            ...[question, true, false],
            question.startsWith('missing') ? 'NXDOMAIN' : 'NOERROR',
          ]),
        ]);
        // After the signatures have expired, a resolver without validation still gets answers, and one with validation
        // learns the reason.
        await clock.set(renewal + 16 * DAY_SECONDS);
        for (const [, , , rcode] of await verdicts(16)) expect(rcode).toBe('SERVFAIL');
        const { host, port } = nameserver.address;
        const { stdout } = run('dig', [
          ...[`@${host}`, '-p', String(port), '+dnssec', `www.${name}`, 'A'],
        ]);
        expect(stdout).toContain('EDE: 7');
        expect(stdout).toContain('192.0.2.1');
      } finally {
        await nameserver.kill();
        await clock.remove();
      }
    },
    DEADLINE_MS * 4,
  );
});
