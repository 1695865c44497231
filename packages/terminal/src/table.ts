import { InputError, printable } from './streams.js';

/** One member of a row: a column of a table, or a line if a single row is shown. */
export interface Column<T> {
  readonly title: string;
  readonly member: keyof T & string;
  /** Text for null. The default is a dash. */
  readonly none?: string;
  /** Whether the column is shown only for a single row, since a table would become too wide. */
  readonly isDetail?: boolean;
  /** Whether the column may be truncated in a narrow terminal. True for text that users read but do not copy. */
  readonly isCut?: boolean;
}

/**
 * Returns the requested columns in their order, by title or by JSON member, or the usual columns if none are requested.
 * @throws InputError if a column does not exist
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
    throw new InputError(`there is no column "${name}". Columns: ${names}`);
  });
}

/** Returns the JSON members of the given columns. */
export function pickMembers<T>(row: T, columns: readonly Column<T>[]): object {
  return Object.fromEntries(columns.map(({ member }) => [member, row[member]]));
}

const GAP = '  ';

/**
 * Renders rows under titles, with aligned columns. @param width of the terminal in characters; undefined if lines may
 * have any length
 */
export function renderTable<T>(
  rows: readonly T[],
  columns: readonly Column<T>[],
  width?: number,
): string {
  const shown = columns.filter((column) => column.isDetail !== true);
  const titles = shown.map(({ title }) => title.toUpperCase());
  const lines = [titles, ...rows.map((row) => shown.map((column) => cellText(row, column)))];
  if (width === undefined) return align(lines);
  const widths = fitWidths(widthsOf(lines), shown, width);
  return align(lines.map((line) => line.map((cell, index) => cut(cell, widths[index] ?? 0))));
}

/** Renders one row, with a line for each member. */
export function renderRow<T>(row: T, columns: readonly Column<T>[]): string {
  return align(columns.map((column) => [`${column.title}:`, cellText(row, column)]));
}

/**
 * Makes columns narrower if the table does not fit. The widest are reduced first, but not below the width of their
 * titles.
 */
function fitWidths<T>(
  widths: readonly number[],
  columns: readonly Column<T>[],
  width: number,
): readonly number[] {
  const fitted = [...widths];
  const sum = widths.reduce((total, each) => total + each, GAP.length * (widths.length - 1));
  for (let excess = sum - width; excess > 0; excess -= 1) {
    const open = columns.flatMap(({ isCut = false, title }, index) =>
      isCut && (fitted[index] ?? 0) > title.length ? [index] : [],
    );
    const [first] = open.sort((a, b) => (fitted[b] ?? 0) - (fitted[a] ?? 0));
    if (first === undefined) return fitted;
    fitted[first] = (fitted[first] ?? 0) - 1;
  }
  return fitted;
}

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;
}

function widthsOf(lines: readonly (readonly string[])[]): readonly number[] {
  return (lines[0] ?? []).map((_, index) =>
    lines.reduce((widest, line) => Math.max(widest, line[index]?.length ?? 0), 0),
  );
}

function align(lines: readonly (readonly string[])[]): string {
  const widths = widthsOf(lines);
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
