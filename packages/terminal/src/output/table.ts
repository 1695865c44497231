import { InputError } from '../command/input-error.js';
import { printable } from './printable.js';

/** One member of a row as a column of a table, or as a line where one row is shown alone. */
export interface Column<T> {
  readonly title: string;
  readonly member: keyof T & string;
  /** What stands for null; a dash if absent. */
  readonly none?: string;
  /** Shown where a row stands alone, but not in a table, which would become too wide. */
  readonly isDetail?: boolean;
}

/**
 * Those that were asked for, by their title or as JSON calls them, in the order asked for; else the usual ones.
 *
 * @throws InputError where there is none of a name
 */
export function chooseColumns<T>(
  columns: readonly Column<T>[],
  wanted: readonly string[] | undefined,
): readonly Column<T>[] {
  if (wanted === undefined) return columns;
  return wanted.map((name) => {
    const lower = name.toLowerCase();
    const found = columns.find(
      ({ title, member }) => title.toLowerCase() === lower || member.toLowerCase() === lower,
    );
    if (found !== undefined) return { ...found, isDetail: false };
    const names = columns.map(({ member }) => member).join(', ');
    throw new InputError(`there is no column "${name}"; there are ${names}`);
  });
}

/** What columns are about, as JSON has it. */
export function pickMembers<T>(row: T, columns: readonly Column<T>[]): object {
  return Object.fromEntries(columns.map(({ member }) => [member, row[member]]));
}

const GAP = '  ';

/** Rows under titles, columns aligned. */
export function renderTable<T>(rows: readonly T[], columns: readonly Column<T>[]): string {
  const shown = columns.filter((column) => column.isDetail !== true);
  const cells = rows.map((row) => shown.map((column) => cellText(row, column)));
  return align([shown.map(({ title }) => title.toUpperCase()), ...cells]);
}

/** One row, a line for each member. */
export function renderRow<T>(row: T, columns: readonly Column<T>[]): string {
  return align(columns.map((column) => [`${column.title}:`, cellText(row, column)]));
}

function align(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, index) =>
    Math.max(...lines.map((line) => line[index]?.length ?? 0)),
  );
  return lines
    .map((line) =>
      line
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join(GAP)
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}

function cellText<T>(row: T, column: Column<T>): string {
  const value: unknown = row[column.member];
  const text = valueText(value, column.none ?? '-');
  return printable(text);
}

function valueText(value: unknown, none: string): string {
  if (value === null || value === undefined) return none;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (value instanceof Date)
    return value
      .toISOString()
      .replace('T', ' ')
      .replace(/\.\d+Z$/, ' UTC');
  if (Array.isArray(value)) return value.length === 0 ? none : value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
