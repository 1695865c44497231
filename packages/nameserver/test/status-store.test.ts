import { expect, it } from '@jest/globals';
import { useTestDatabase } from '@zonewright/testkit';
import type { AppliedMoment } from '../src/sync/feed-status.js';
import { saveNameserverStatus } from '../src/sync/status-store.js';

const database = useTestDatabase();
const NOW = Date.now();

async function save(moments: readonly AppliedMoment[]): Promise<void> {
  await saveNameserverStatus(database.db, {
    name: 'ns1-1',
    address: '192.0.2.1:53',
    software: 'zonewright-nameserver',
    version: '1.0.0',
    appliedBefore: '10',
    horizon: '10:10:',
    failedZones: new Map(),
    aheadZones: new Map(),
    lateZones: new Map(),
    databaseId: undefined,
    doubt: undefined,
    ignoredSettings: undefined,
    zones: 1,
    imageOctets: 1,
    startedMsAgo: 60_000,
    readMsAgo: 0,
    appliedMsAgo: 0,
    moments,
    now: NOW,
  });
}

async function readRing(): Promise<{ slot: number; horizon: string; msApart: number }[]> {
  const { rows } = await database.db.raw<{
    rows: { slot: number; horizon: string; msApart: number }[];
  }>(
    `select p.slot, p.horizon::text,
            coalesce(round(extract(epoch from p.applied_at - lag(p.applied_at) over by_time) * 1000), 0)::integer as "msApart"
       from dns.nameserver_progress as p window by_time as (order by p.applied_at) order by p.applied_at`,
  );
  return rows;
}

it('ADR 0012: each time has a separate slot, whether it is reported alone or with others', async () => {
  await save([{ horizon: '1:1:', at: NOW - 90 }]);
  await save([]);
  await save([
    { horizon: '2:2:', at: NOW - 7 },
    { horizon: '3:5:4', at: NOW },
  ]);
  const ring = await readRing();
  expect(ring.map(({ slot }) => slot)).toEqual([0, 1, 2]);
  expect(ring.map(({ horizon }) => horizon)).toEqual(['1:1:', '2:2:', '3:5:4']);
  expect(ring.at(-1)?.msApart).toBe(7);
});

it('ADR 0012: the first slot follows the last', async () => {
  await database.db.raw('delete from dns.nameserver_progress');
  await save([{ horizon: '1:1:', at: NOW - 90 }]);
  await database.db.raw('update dns.nameserver_progress set slot = 29998');
  await save([
    { horizon: '2:2:', at: NOW - 7 },
    { horizon: '3:3:', at: NOW },
  ]);
  expect((await readRing()).map(({ slot }) => slot)).toEqual([29_998, 29_999, 0]);
});
