import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DnsApiService } from '@zonewright/dns-api';
import { applyOptimistic, type ChangeOfMany, ZoneGroups } from '@zonewright/zones';
import request from 'supertest';
import { createDomain, type DomainBody } from '../support/fixtures.js';
import { fakeTokens } from '../support/fake-tokens.js';
import { readJournal, readRecordRows, replay, serialsOf } from '../support/journal.js';
import { testSettings, useApi } from '../support/use-api.js';
import { workOf } from './work-of.js';

const PAIRS = 40;

const api = useApi();
let other: DnsApiService;
let url = '';
beforeAll(async () => {
  other = DnsApiService.create(testSettings(api.databaseUrl), { tokens: fakeTokens });
  url = (await other.start())['http'] ?? '';
});
afterAll(() => other.stop());

/**
 * Sends both changes at once, each to another process. A busy machine may refuse one of them with 503. @returns the
 * statuses
 */
async function addBoth({ id }: DomainBody, one: object, two: object): Promise<number[]> {
  const path = `/v1/domains/${id}/records`;
  const answers = await Promise.all([
    api.call('post', path, one),
    request(url).post(path).set('X-Auth-Token', 'token-a').send(two),
  ]);
  return answers.map(({ status }) => status).sort((first, second) => first - second);
}

describe('ADR 0044: two processes that change one zone at the same time', () => {
  it("check each change against the other's result", async () => {
    const zone = await createDomain(api);
    const seen = new Set<string>();
    for (let n = 0; n < PAIRS; n += 1) {
      const name = `n${n}.${zone.name}`;
      const address = { name, type: 'A', data: '192.0.2.1' };
      const alias = { name, type: 'CNAME', data: 'www.example.net.' };
      const statuses = await addBoth(zone, address, alias);
      if (!statuses.includes(503)) seen.add(statuses.join());
    }
    // An alias must be alone at its name, so one of the two changes is refused.
    expect([...seen]).toEqual(['200,400']);
  });

  it('lose no change, and use no serial twice', async () => {
    const zone = await createDomain(api);
    let done = 0;
    for (let n = 0; n < PAIRS; n += 1) {
      const [one, two] = ['a', 'b'].map((label) => ({
        ...{ name: `${label}${n}.${zone.name}`, type: 'A', data: '192.0.2.1' },
      }));
      const statuses = await addBoth(zone, one!, two!);
      for (const status of statuses) expect([200, 503]).toContain(status);
      done += statuses.filter((status) => status === 200).length;
    }
    const journal = await readJournal(api.db, zone.id);
    expect(new Set(serialsOf(journal)).size).toBe(1 + done);
    const rows = await readRecordRows(api.db, zone.id);
    expect(replay(journal)).toEqual(rows);
    const { rows: counted } = await api.db.raw<{ rows: object[] }>(
      'select d.record_count as count from dns.domains as d where d.id = ?',
      [zone.id],
    );
    expect(rows).toHaveLength(done);
    expect(counted).toEqual([{ count: done }]);
  });

  it('F23: both answer a message that changes nothing, and store one response', async () => {
    const zone = await createDomain(api);
    const reply = { status: 200, headers: {}, body: '{}' };
    let planned = 0;
    let go: (() => void) | undefined;
    const bothArePlanned = new Promise<void>((resolve) => {
      go = resolve;
    });
    const attempt = async () => {
      const change: ChangeOfMany = {
        work: workOf(api),
        names: [],
        plan: async () => {
          if ((planned += 1) === 2) go?.();
          await bothArePlanned;
          return { changes: [] };
        },
        kept: { tenantId: 'tenant-a', key: 'tsig:same', requestDigest: Buffer.alloc(32) },
        toReply: () => reply,
      };
      const groups = new ZoneGroups(api.db);
      const place = { groups, zoneId: zone.id, beforeWrite: () => undefined };
      return await applyOptimistic(place, [change]);
    };
    const answered = [{ kind: 'answered', reply }];
    expect(await Promise.all([attempt(), attempt()])).toMatchObject([answered, answered]);
  });
});
