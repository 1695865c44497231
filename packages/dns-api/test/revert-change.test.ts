import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  createDomain,
  createRecord,
  type DomainBody,
  type ErrorBody,
  type ListedRecordBody,
  readDomain,
} from './support/fixtures.js';
import { readJournal, readRecordRows, replay, serialsOf } from './support/journal.js';
import { useApi } from './support/use-api.js';

const api = useApi({ env: { DNS_API_MAX_DOMAINS: '1000' } });

let zone: DomainBody;
beforeEach(async () => {
  zone = await createDomain(api, { description: 'as it was' });
});

const path = (rest: string) => `/v1/domains/${zone.id}${rest}`;
const add = (owner: string, data = '192.0.2.1') =>
  createRecord(api, zone.id, { name: `${owner}.${zone.name}`, type: 'A', data });
const serialNow = async () => (await readDomain(api, zone.id)).serial;
const revert = (serial: number, query = '') =>
  api.call('post', path(`/changes/${serial}/revert${query}`));

async function listRecords(): Promise<ListedRecordBody[]> {
  const response = await api.call('get', path('/records')).expect(200);
  return (response.body as { records: ListedRecordBody[] }).records;
}

/** Returns the zone without its serial. */
async function exportZone(): Promise<string> {
  const response = await api.call('get', path('/zonefile')).expect(200);
  return response.text.replace(/(\tSOA\t\S+ \S+) \d+/, '$1');
}

describe('Revert a change (Beyond the specification)', () => {
  it('undoes that change, and no later one', async () => {
    const [changed, deleted] = [await add('changed'), await add('deleted')];
    await api.call('put', path(`/records/${changed.id}`), { ttl: 60 }).expect(200);
    const update = await serialNow();
    await api.call('delete', path(`/records/${deleted.id}`)).expect(200);
    const removal = await serialNow();
    const since = await add('since');
    const creation = await serialNow();
    await api.call('put', path(''), { description: 'new', ttl: 7 }).expect(200);
    const ofDomain = await serialNow();

    const first = await revert(update);
    expect(first.status).toBe(200);
    expect(first.body).not.toHaveProperty('difference');
    expect((first.body as DomainBody).serial).toBeGreaterThan(ofDomain);
    expect(first.headers['x-zonewright-serial']).toBe(String((first.body as DomainBody).serial));
    const noted = await api.call('get', path('/changes?extended=true&limit=1')).expect(200);
    expect(noted.body).toMatchObject({
      changes: [{ source: 'revert', note: `Reverted serial ${update}` }],
    });
    await revert(removal).expect(200);
    await revert(ofDomain).expect(200);
    expect(await readDomain(api, zone.id)).toMatchObject({
      description: 'as it was',
      ttl: zone.ttl,
    });
    const shown = (await listRecords()).map(({ id, ttl }) => [id, ttl]).sort();
    expect(shown).toEqual([changed.id, deleted.id, since.id].map((id) => [id, null]).sort());
    await revert(creation).expect(200);
    expect((await listRecords()).map(({ id }) => id)).not.toContain(since.id);
    const journal = await readJournal(api.db, zone.id);
    expect(replay(journal)).toEqual(await readRecordRows(api.db, zone.id));
    expect(serialsOf(journal)).toHaveLength(1 + 2 + 4 + 4);
  });

  it('can itself be undone in the same way, and is named in the history', async () => {
    const record = await add('www');
    await api.call('delete', path(`/records/${record.id}`)).expect(200);
    await revert(await serialNow()).expect(200);
    await revert(await serialNow()).expect(200);
    expect(await listRecords()).toEqual([]);
    const response = await api.call('get', path('/changes?group=serial&limit=2'));
    expect(response.body).toMatchObject({ steps: [{ source: 'revert' }, { source: 'revert' }] });
  });

  it('returns 409 with the later changes, and nothing is done', async () => {
    const [one, other] = [await add('one'), await add('other')];
    const operations = [one, other].map(({ id }) => ({ action: 'update', id, record: { ttl: 9 } }));
    await api.call('post', path('/batch'), { operations }).expect(200);
    const both = await serialNow();
    await api.call('delete', path(`/records/${one.id}`)).expect(200);
    const deletion = await serialNow();
    const before = await exportZone();
    const response = await revert(both);
    expect(response.status).toBe(409);
    expect(response.body).toMatchObject({ type: 'conflict' });
    expect((response.body as ErrorBody).errors).toEqual([
      {
        path: `records.${one.id}`,
        validator: 'unchanged',
        message: expect.stringContaining(`at serial ${deletion}`),
      },
    ]);
    expect(await exportZone()).toBe(before);
    await revert(deletion).expect(200);
    await revert(both).expect(200);
    await revert(both).expect(409);
  });

  it('returns 409 if the domain itself has changed since, or another record has the name', async () => {
    await api.call('put', path(''), { ttl: 7 }).expect(200);
    const first = await serialNow();
    await api.call('put', path(''), { ttl: 8 }).expect(200);
    const response = await revert(first);
    expect((response.body as ErrorBody).errors).toMatchObject([{ path: 'domain' }]);
    const record = await add('www');
    await api.call('delete', path(`/records/${record.id}`)).expect(200);
    const removal = await serialNow();
    await add('www');
    expect((await revert(removal)).body).toMatchObject({ code: 409, type: 'duplicate_record' });
  });

  it('dry_run shows the difference', async () => {
    const record = await add('www');
    await api.call('put', path(`/records/${record.id}`), { ttl: 60 }).expect(200);
    const response = await revert(await serialNow(), '?dry_run=true').expect(200);
    expect(response.body).toMatchObject({
      difference: {
        create: [],
        update: [{ before: { ttl: 60 }, after: { id: record.id, ttl: null } }],
        delete: [],
        complete: true,
      },
    });
    const restored = await api
      .call('post', path('/restore?dry_run=true'), { serial: zone.serial })
      .expect(200);
    expect(restored.body).toMatchObject({
      description: 'as it was',
      difference: { create: [], update: [], delete: [{ id: record.id, ttl: 60 }] },
    });
  });

  it('needs confirm=true to remove more than 30% of at least 10 records', async () => {
    const operations = Array.from({ length: 10 }, (_, n) => ({
      action: 'create',
      record: { name: `r${n}.${zone.name}`, type: 'A', data: '192.0.2.1' },
    }));
    await api.call('post', path('/batch'), { operations }).expect(200);
    const serial = await serialNow();
    expect((await revert(serial)).body).toMatchObject({ code: 400, errors: [{ path: 'confirm' }] });
    await revert(serial, '?confirm=true').expect(200);
    expect(await listRecords()).toEqual([]);
  });

  it('honours If-Match', async () => {
    await add('www');
    const serial = await serialNow();
    await revert(serial).set('If-Match', '"1"').expect(412);
    const done = await revert(serial).set('If-Match', `"${serial}"`);
    expect(done.status).toBe(200);
    expect(done.headers['etag']).toBe(`"${(done.body as DomainBody).serial}"`);
  });

  it('restores long data', async () => {
    const data = `"${'x'.repeat(200)}" `.repeat(20).trim();
    const record = await createRecord(api, zone.id, { name: zone.name, type: 'TXT', data });
    await api.call('put', path(`/records/${record.id}`), { ttl: 60 }).expect(200);
    const update = await serialNow();
    const then = await exportZone();
    await api.call('delete', path(`/records/${record.id}`)).expect(200);
    await revert(await serialNow()).expect(200);
    expect(await exportZone()).toBe(then);
    await revert(update).expect(200);
    expect((await listRecords())[0]).toMatchObject({ data, ttl: null });
  });

  it('returns 404 for a serial that the domain never had, and 400 for its creation, which is not a change', async () => {
    for (const serial of ['1', '99999999999', 'x']) {
      expect((await api.call('post', path(`/changes/${serial}/revert`))).status).toBe(404);
    }
    expect((await revert(zone.serial)).body).toMatchObject({
      code: 400,
      errors: [{ path: 'serial', validator: 'revertible' }],
    });
  });
});

/** Park and Miller's random generator, so that a failure can be repeated. */
function randomNumbers(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

/** The seeds; `npm run test:faults` uses 300 of them. */
const SEEDS = Array.from(
  { length: Number(process.env['REVERTED_HISTORIES'] ?? 3) },
  (_, n) => n + 1,
);

describe.each(SEEDS)('Random edits, reverted in any legal order (seed %i)', (seed) => {
  const random = randomNumbers(seed * 7_919);
  let made = 0;
  // Returns content that exists only once, so that restored records do not conflict with others.
  const content = () => {
    made += 1;
    return random(2) === 0
      ? { type: 'A', data: `10.${seed & 255}.${made >> 8}.${made & 255}`, ttl: 60 + made }
      : { type: 'TXT', data: `"text ${made}"`, ttl: null, description: `number ${made}` };
  };
  const owner = () => `n${random(4)}.${zone.name}`;

  async function edit(): Promise<void> {
    const records = await listRecords();
    const some = () => records[random(records.length)];
    const operations = Array.from({ length: 1 + random(3) }, () => {
      const record = some();
      const kind = record === undefined ? 0 : random(3);
      if (kind === 0) return { action: 'create', record: { name: owner(), ...content() } };
      if (kind === 1) return { action: 'delete', id: record?.id };
      return { action: 'update', id: record?.id, record: { name: owner(), ...content() } };
    }).filter(({ id }, at, all) => id === undefined || all.findIndex((o) => o.id === id) === at);
    if (random(6) === 0) {
      made += 1;
      await api.call('put', path(''), { description: `d${made}`, ttl: 1000 + made }).expect(200);
    } else {
      await api.call('post', path('/batch'), { operations, confirm: true }).expect(200);
    }
  }

  it('restore the earlier export, octet for octet', async () => {
    for (let n = 0; n < 5; n += 1) {
      await createRecord(api, zone.id, { name: owner(), ...content() });
    }
    const before = await exportZone();
    const edits: number[] = [];
    for (let n = 0; n < 15; n += 1) {
      await edit();
      edits.push(await serialNow());
    }
    let refused = 0;
    while (edits.length > 0) {
      const order = edits.map((serial) => ({ serial, at: random(1_000) }));
      order.sort((one, other) => one.at - other.at);
      let reverted: number | undefined;
      for (const { serial } of order) {
        const then = await exportZone();
        const { status } = await revert(serial, '?confirm=true');
        expect([200, 409]).toContain(status);
        if (status === 200) {
          reverted = serial;
          break;
        }
        refused += 1;
        expect(await exportZone()).toBe(then);
      }
      expect(edits).toContain(reverted);
      edits.splice(edits.indexOf(reverted ?? 0), 1);
    }
    expect(await exportZone()).toBe(before);
    expect(refused).toBeGreaterThan(0);
    const journal = await readJournal(api.db, zone.id);
    expect(replay(journal)).toEqual(await readRecordRows(api.db, zone.id));
  });
});
