import { describe, expect, it } from '@jest/globals';
import { chooseColumns, type Column, pickMembers, renderRow, renderTable } from './table.js';

interface Row {
  readonly name: string;
  readonly count: number | null;
  readonly flag: boolean;
  readonly since: Date;
  readonly words: readonly string[];
}

const ROW: Row = {
  name: 'one',
  count: 12,
  flag: true,
  since: new Date('2030-01-31T12:34:56.789Z'),
  words: ['a', 'b'],
};
const COLUMNS: readonly Column<Row>[] = [
  { title: 'Name', member: 'name' },
  { title: 'Count', member: 'count', none: 'default' },
  { title: 'Flag', member: 'flag' },
  { title: 'Since', member: 'since' },
  { title: 'Words', member: 'words', isDetail: true },
];

describe('renderTable', () => {
  it('aligns columns under titles and omits details', () => {
    expect(renderTable([ROW, { ...ROW, name: 'another', count: null, flag: false }], COLUMNS)).toBe(
      [
        'NAME     COUNT    FLAG  SINCE',
        'one      12       yes   2030-01-31 12:34:56 UTC',
        'another  default  no    2030-01-31 12:34:56 UTC',
        '',
      ].join('\n'),
    );
  });

  it('shows only the titles if there are no rows', () => {
    expect(renderTable([], COLUMNS)).toBe('NAME  COUNT  FLAG  SINCE\n');
  });

  it('truncates only the columns that allow it, the widest first, if the terminal is too narrow', () => {
    const columns: readonly Column<Row>[] = [
      { title: 'Name', member: 'name', isCut: true },
      { title: 'Since', member: 'since' },
      { title: 'Words', member: 'words', isCut: true },
    ];
    const rows = [{ ...ROW, name: 'a-long-name', words: ['some', 'more', 'words'] }];
    const widthsAt = (width: number) =>
      renderTable(rows, columns, width)
        .split('\n')
        .map((line) => line.length);
    expect(renderTable(rows, columns, 80)).toBe(renderTable(rows, columns));
    expect(widthsAt(50)).toEqual([43, 50, 0]);
    expect(renderTable(rows, columns, 50)).toContain(
      'a-long-name  2030-01-31 12:34:56 UTC  some, more,…',
    );
    expect(renderTable(rows, columns, 46)).toContain(
      'a-long-n…  2030-01-31 12:34:56 UTC  some, mor…',
    );
    expect(widthsAt(10)).toEqual([36, 36, 0]);
  });

  it('removes characters that move the cursor of a terminal', () => {
    expect(renderTable([{ ...ROW, name: 'a\u001b[2Jb\nc' }], COLUMNS)).toContain('a?[2Jb?c');
  });
});

describe('renderRow', () => {
  it('shows each member on a line, including details', () => {
    expect(renderRow(ROW, COLUMNS)).toBe(
      [
        'Name:   one',
        'Count:  12',
        'Flag:   yes',
        'Since:  2030-01-31 12:34:56 UTC',
        'Words:  a, b',
        '',
      ].join('\n'),
    );
  });

  it('shows a dash for a missing value', () => {
    expect(renderRow({ ...ROW, words: [] }, COLUMNS.slice(-1))).toBe('Words:  -\n');
  });
});

describe('chooseColumns', () => {
  it('accepts titles and members, in the requested order, including details', () => {
    const chosen = chooseColumns(COLUMNS, ['WORDS', 'name']);
    expect(renderTable([ROW], chosen)).toBe('WORDS  NAME\na, b   one\n');
    expect(pickMembers(ROW, chosen)).toEqual({ words: ['a', 'b'], name: 'one' });
  });

  it('returns the usual columns by default, and lists the available ones', () => {
    expect(chooseColumns(COLUMNS, undefined)).toBe(COLUMNS);
    expect(() => chooseColumns(COLUMNS, ['size'])).toThrow(
      'there is no column "size". Columns: name, count, flag, since, words',
    );
  });
});
