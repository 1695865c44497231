import { expect, it } from '@jest/globals';
import { systemClock } from '@zonewright/service-kit';
import type { RecordPart } from './export-store.js';
import { readDomain } from './read-domain.js';

const DOMAIN = {
  id: '00000000-0000-4000-8000-000000000001',
  tenant: 't',
  name: 'sec.example.',
  email: 'host@sec.example',
  ttl: 600,
  description: null,
};

const SOA = ['sec.example.', 'SOA', 'ns1.sec.example. host.sec.example. 1 2 3 4 5'] as const;
const NS = ['sec.example.', 'NS', 'ns1.sec.example.'] as const;
const NS_OF_CHILD = ['child.sec.example.', 'NS', 'ns1.sec.example.'] as const;
const ADDRESS = ['ns1.sec.example.', 'A', '192.0.2.53'] as const;
const RRSIG = [
  'ns1.sec.example.',
  'RRSIG',
  'A 13 3 600 20300101000000 20290101000000 1 sec.example. AA==',
] as const;

async function read(...records: (readonly [name: string, type: string, data: string])[]) {
  const parts = records.map(([name, type, data], at): RecordPart => {
    return { id: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`, name, type, data };
  });
  const { domain, problems } = await readDomain(DOMAIN, parts, systemClock);
  return {
    records: domain.records.map(({ name, type }) => `${name} ${type}`),
    problems: problems.map(({ path }) => path),
  };
}

it('a secondary domain is imported with the records that remain when its primaries are removed', async () => {
  expect(await read(SOA, NS, ADDRESS, RRSIG, NS_OF_CHILD)).toEqual({
    records: ['ns1.sec.example. A', 'child.sec.example. NS'],
    problems: [],
  });
});

it('reports an invalid record with its position in the document', async () => {
  expect(
    await read(SOA, NS, ['x.sec.example.', 'A', 'x']).then(({ problems }) => problems),
  ).toEqual(['records[2].data']);
});

it('signatures without an SOA record do not make a secondary domain, and are refused', async () => {
  expect((await read(ADDRESS, RRSIG)).problems).toEqual(['records[1].type']);
});
