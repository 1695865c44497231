import { describe, expect, it } from '@jest/globals';
import { type SortColumn, sortRecords } from './sort-records.js';

type Sorted = Parameters<typeof sortRecords>[0][number];

function recordOf(id: string, change: Partial<Sorted>): Sorted {
  const usual = { name: 'example.com.', type: 'A', data: '192.0.2.1', effective_ttl: 300 };
  return {
    ...{ id, ...usual, created_at: '2030-01-01T00:00:00', updated_at: null },
    ...change,
  } as Sorted;
}

function order(
  records: readonly Sorted[],
  column: SortColumn,
  { isDescending = false, isGrouped = false } = {},
): string {
  return sortRecords(records, { column, isDescending }, isGrouped)
    .map(({ id }) => id)
    .join(' ');
}

describe('sortRecords', () => {
  const tree = [
    recordOf('other', { name: 'b.example.com.' }),
    recordOf('below', { name: 'z.a.example.com.' }),
    recordOf('apex-txt', { type: 'TXT' }),
    recordOf('name', { name: 'a.example.com.' }),
    recordOf('apex-a', { type: 'A' }),
  ];

  it('RFC 4034 s6.1: sorted by name, names below a name follow it, and the types of a name are in order', () => {
    expect(order(tree, 'name')).toBe('apex-a apex-txt name below other');
    expect(order(tree, 'name', { isDescending: true })).toBe('other below name apex-txt apex-a');
    expect(order(tree, 'name', { isGrouped: true })).toBe('apex-a apex-txt name below other');
  });

  it.each<[SortColumn, Partial<Sorted>, Partial<Sorted>]>([
    ['type', { type: 'A' }, { type: 'MX' }],
    ['data', { data: '192.0.2.9' }, { data: '192.0.2.10' }],
    ['ttl', { effective_ttl: 60 }, { effective_ttl: 300 }],
    ['ttl', { effective_ttl: undefined as never }, { effective_ttl: 1 }],
    ['changed', { created_at: '2030-01-01' }, { created_at: '2030-01-02' }],
    [
      'changed',
      { created_at: '2030-01-09', updated_at: '2030-01-10' },
      { created_at: '2030-01-11' },
    ],
    [
      'changed',
      { created_at: '2030-01-01' },
      { created_at: '2029-01-01', updated_at: '2030-02-01' },
    ],
  ])('sorted by %s, %o comes before %o', (column, less, more) => {
    const records = [recordOf('more', more), recordOf('less', less)];
    expect(order(records, column)).toBe('less more');
    expect(order(records, column, { isDescending: true })).toBe('more less');
    expect(order(records.toReversed(), column)).toBe('less more');
  });

  it('grouped keeps records of one name together, at the position of the first of them', () => {
    const records = [
      recordOf('a3', { name: 'a.', effective_ttl: 3 }),
      recordOf('b2', { name: 'b.', effective_ttl: 2 }),
      recordOf('a1', { name: 'a.', effective_ttl: 1 }),
    ];
    expect(order(records, 'ttl')).toBe('a1 b2 a3');
    expect(order(records, 'ttl', { isGrouped: true })).toBe('a1 a3 b2');
    expect(order(records, 'ttl', { isDescending: true, isGrouped: true })).toBe('a3 a1 b2');
  });
});
