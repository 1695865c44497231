import { describe, expect, it, jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Response } from 'supertest';
import { FAULT_ROUNDS, faultSeed, seededRandom } from '@zonewright/testkit';
import { type DomainBody, freshName } from '../support/fixtures.js';
import { readJournal, readRecordRows, replay, serialsOf } from '../support/journal.js';
import { useApi } from '../support/use-api.js';

const api = useApi({ env: { DNS_API_MAX_DOMAIN_RECORDS: '5000' } });
jest.setTimeout(120_000 + FAULT_ROUNDS * 10_000);

const random = seededRandom(faultSeed());
const below = (count: number) => Math.floor(random() * count);
const pick = <T>(items: readonly T[]): T => items[below(items.length)]!;

interface Row {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly data: string;
  readonly priority: number | null;
  readonly ttl: number | null;
  readonly version: number;
}

interface Recordset {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly records: readonly string[];
  readonly ttl: number | null;
  readonly managed: boolean;
}

const TYPES = ['A', 'TXT', 'MX'] as const;
/** A small set of texts that v2 writes, so that equal ones occur. */
const TEXTS = {
  A: ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'],
  TXT: ['"a"', '"b"', '"c d"', '"e"'],
  MX: ['10 a.example.', '20 a.example.', '10 b.example.', '30 c.example.'],
};

/** Repeats a request until its status is not 503, which means that nothing was done because the machine is busy. */
async function ask(...call: Parameters<typeof api.call>): Promise<Response> {
  for (;;) {
    const response = await api.call(...call);
    if (response.status !== 503) return response;
    await sleep(1_000 * Math.random());
  }
}

async function newZone(): Promise<DomainBody> {
  const body = { name: freshName(), email: 'admin@example.com' };
  return (await ask('post', '/v1/domains', body)).body as DomainBody;
}

const textOf = ({ data, priority }: Row) => (priority === null ? data : `${priority} ${data}`);
const keyOf = ({ name, type }: Pick<Row, 'name' | 'type'>) => `${name} ${type}`;

/** Returns the members with which v1 writes the same text. */
function membersOf(text: string, type: string) {
  if (type !== 'MX') return { data: text };
  const [priority = '', data = ''] = text.split(' ');
  return { data, priority: Number(priority) };
}

async function readRows(zone: DomainBody): Promise<Row[]> {
  const path = `/v1/domains/${zone.id}/records?limit=1000`;
  const response = await ask('get', path);
  return (response.body as { records: Row[] }).records;
}

async function readRecordsets(zone: DomainBody): Promise<Recordset[]> {
  const path = `/v2/zones/${zone.id}/recordsets?limit=1000`;
  const response = await ask('get', path);
  const { recordsets } = response.body as { recordsets: Recordset[] };
  return recordsets.filter(({ managed }) => !managed);
}

/** Checks that each record in one API version is in the other, and nothing else. */
async function compareFaces(zone: DomainBody): Promise<Row[]> {
  const rows = await readRows(zone);
  const expected = new Map<string, { records: string[]; ttls: (number | null)[] }>();
  for (const row of rows) {
    const entry = expected.get(keyOf(row)) ?? { records: [], ttls: [] };
    entry.records.push(textOf(row));
    entry.ttls.push(row.ttl);
    expected.set(keyOf(row), entry);
  }
  const shown = await readRecordsets(zone);
  expect(shown.map(keyOf).sort()).toEqual([...expected.keys()].sort());
  for (const recordset of shown) {
    const { records, ttls } = expected.get(keyOf(recordset))!;
    expect([...recordset.records].sort()).toEqual(records.sort());
    const own = ttls.filter((ttl) => ttl !== null);
    expect(recordset.ttl).toBe(own.length === 0 ? null : Math.min(...own));
  }
  return rows;
}

/** A write with its description, and the texts in its recordset if it succeeds. */
interface Write {
  readonly what: string;
  readonly send: () => Promise<{ status: number; body: unknown }>;
  readonly after: ReadonlyMap<string, readonly string[]>;
  /** The rows whose version may change. */
  readonly touches: (row: Row) => boolean;
}

/** Returns the writes that v1 can make to one record; `members` are the new values. */
function ofOneRow(
  zone: DomainBody,
  rows: readonly Row[],
  row: Row,
  members: { readonly data: string; readonly priority?: number; readonly ttl: number | null },
): Write[] {
  const { type } = row;
  const key = keyOf(row);
  const texts = rows.filter((other) => keyOf(other) === key).map(textOf);
  const text =
    members.priority === undefined ? members.data : `${members.priority} ${members.data}`;
  const rest = texts.filter((other) => other !== textOf(row));
  const path = `/v1/domains/${zone.id}/records/${row.id}`;
  const touches = (other: Row) => other.id === row.id;
  const elsewhere = `n${below(3)}.${zone.name}`;
  const there = keyOf({ name: elsewhere, type });
  const others = rows.filter((other) => keyOf(other) === there && other.id !== row.id);
  return [
    {
      what: 'v1 update',
      send: () => ask('put', path, members),
      after: new Map([[key, [...rest, text]]]),
      touches,
    },
    {
      what: 'v1 move',
      send: () => ask('put', path, { name: elsewhere }),
      after: new Map([
        [key, rest],
        [there, [...others.map(textOf), textOf(row)]],
      ]),
      touches,
    },
    {
      what: 'v1 delete',
      send: () => ask('delete', path),
      after: new Map([[key, rest]]),
      touches,
    },
  ];
}

/** Returns a random write in one API version that is possible in the current state. */
async function chooseWrite(zone: DomainBody, rows: readonly Row[]): Promise<Write> {
  const row = rows.length > 0 && random() < 0.7 ? pick(rows) : undefined;
  const { name, type } = row ?? { name: `n${below(3)}.${zone.name}`, type: pick(TYPES) };
  const key = keyOf({ name, type });
  const texts = rows.filter((other) => keyOf(other) === key).map(textOf);
  const choices = TEXTS[type as keyof typeof TEXTS];
  const text = pick(choices);
  const ttl = pick([null, 60, 300]);
  const v1 = `/v1/domains/${zone.id}/records`;
  const v2 = `/v2/zones/${zone.id}/recordsets`;
  const found = (await readRecordsets(zone)).find((recordset) => keyOf(recordset) === key);
  const one = `${v2}/${found?.id ?? '00000000-0000-4000-8000-000000000000'}`;
  const some = choices.filter(() => random() < 0.5);
  const records = some.length > 0 ? some : [text];
  const members = { ...membersOf(text, type), ttl };
  const nothing = () => false;
  const all = (other: Row) => keyOf(other) === key;
  const kinds: Write[] = [
    {
      what: 'v1 create',
      send: () => ask('post', v1, { name, type, ...members }),
      after: new Map([[key, [...texts, text]]]),
      touches: nothing,
    },
    {
      what: 'v2 create',
      send: () => ask('post', v2, { name, type, records, ttl }),
      after: new Map([[key, records]]),
      touches: nothing,
    },
    {
      what: 'v2 put records',
      send: () => ask('put', one, { records }),
      after: new Map([[key, records]]),
      touches: nothing,
    },
    {
      what: 'v2 put ttl',
      send: () => ask('put', one, { ttl }),
      after: new Map([[key, texts]]),
      touches: all,
    },
    {
      what: 'v2 delete',
      send: () => ask('delete', one),
      after: new Map([[key, []]]),
      touches: nothing,
    },
  ];
  if (row !== undefined) kinds.push(...ofOneRow(zone, rows, row, members));
  const chosen = pick(kinds);
  return { ...chosen, what: `${chosen.what} ${key} ${JSON.stringify({ text, records, ttl })}` };
}

describe('Writes of v1 and v2 to one zone', () => {
  it(`${FAULT_ROUNDS * 10} random writes, one after the other: each is visible in both versions, and unaffected records keep id and version`, async () => {
    const zone = await newZone();
    let rows: Row[] = [];
    let successes = 0;
    for (let round = 0; round < FAULT_ROUNDS * 10; round += 1) {
      const { what, send, after, touches } = await chooseWrite(zone, rows);
      const { status, body } = await send();
      const now = await compareFaces(zone);
      if (status >= 400) {
        expect([400, 404, 409]).toContain(status);
        expect({ what, body, now }).toEqual({ what, body, now: rows });
        continue;
      }
      successes += 1;
      const ids = new Map(now.map((row) => [row.id, row]));
      for (const row of rows) {
        const texts = after.get(keyOf(row));
        const stays = texts === undefined || texts.includes(textOf(row));
        if (!stays || touches(row)) continue;
        expect({ what, row: ids.get(row.id) }).toEqual({ what, row });
      }
      for (const [key, texts] of after) {
        const held = now.filter((row) => keyOf(row) === key).map(textOf);
        expect({ what, held: held.sort() }).toEqual({ what, held: [...texts].sort() });
      }
      rows = now;
    }
    expect(successes).toBeGreaterThan(FAULT_ROUNDS);
    const journal = await readJournal(api.db, zone.id);
    expect(replay(journal)).toEqual(await readRecordRows(api.db, zone.id));
  });

  it('concurrent writes in both versions: none is lost', async () => {
    const zone = await newZone();
    const shared = `shared.${zone.name}`;
    const first = { name: shared, type: 'TXT', data: '"first"' };
    await ask('post', `/v1/domains/${zone.id}/records`, first);
    const [recordset] = await readRecordsets(zone);
    const base = `/v2/zones/${zone.id}/recordsets`;
    const expected = new Set([`${shared} TXT "first"`]);
    const writers = [0, 1, 2, 3].flatMap((writer) => [
      // This writer creates records in v1 beside others of the same recordset.
      async (round: number) => {
        const data = `"${writer}-${round}"`;
        const { status } = await ask('post', `/v1/domains/${zone.id}/records`, {
          ...{ name: shared, type: 'TXT', data },
        });
        if (status === 200) expected.add(`${shared} TXT ${data}`);
        return status;
      },
      // This writer changes the recordset itself, but not its records.
      async (round: number) => {
        const path = `${base}/${recordset?.id ?? ''}`;
        return (await ask('put', path, { ttl: 60 + writer + round })).status;
      },
      // This writer creates and changes another recordset, and leaves it.
      async (round: number) => {
        const name = `w${writer}-${round}.${zone.name}`;
        const made = await ask('post', base, { name, type: 'A', records: ['192.0.2.1'] });
        if (made.status !== 202) return made.status;
        const { id } = made.body as Recordset;
        const put = await ask('put', `${base}/${id}`, { records: ['192.0.2.1', '192.0.2.2'] });
        expected.add(`${name} A 192.0.2.1`);
        if (put.status === 202) expected.add(`${name} A 192.0.2.2`);
        return put.status;
      },
    ]);
    const statuses = await Promise.all(
      writers.map(async (write) => {
        const seen: number[] = [];
        for (let round = 0; round < FAULT_ROUNDS; round += 1) seen.push(await write(round));
        return seen;
      }),
    );
    for (const status of statuses.flat()) expect([200, 202]).toContain(status);
    const rows = await compareFaces(zone);
    expect(new Set(rows.map((row) => `${keyOf(row)} ${textOf(row)}`))).toEqual(expected);
    expect(rows).toHaveLength(expected.size);
    const journal = await readJournal(api.db, zone.id);
    expect(replay(journal)).toEqual(await readRecordRows(api.db, zone.id));
    const serials = serialsOf(journal);
    expect(serials).toEqual([...new Set(serials)].sort((one, other) => one - other));
    const shown = (await ask('get', `/v1/domains/${zone.id}`)).body as DomainBody;
    expect(shown.serial).toBe(serials.at(-1));
  });
});
