import { Slices } from '@zonewright/service-kit';

/** Whether the zone file is added to the existing records or replaces them. */
export type ImportMode = 'merge' | 'replace';

/** The contents of columns; `-` means that the column is ignored. */
export const COLUMNS = [
  'name',
  'type',
  'ttl',
  'data',
  'priority',
  'weight',
  'port',
  'comment',
  'tags',
  'proxied',
  '-',
] as const;

export type Column = (typeof COLUMNS)[number];
/** Columns that every table has. */
export const REQUIRED_COLUMNS: readonly Column[] = ['name', 'type', 'data'];

export interface ImportRequest {
  readonly text: string;
  readonly mode: ImportMode;
  /** Treatment of a file with invalid lines or without records. */
  readonly onError: 'refuse' | 'skip';
  /** Whether many records may be removed. */
  readonly confirm: boolean;
  /** Name of a new domain. The default is the name in the file's SOA. */
  readonly name: string | undefined;
  readonly email: string | undefined;
  /** The columns of a table; undefined if the file must show its format. */
  readonly columns: readonly Column[] | undefined;
}

/** The part of a request that tells how its file is read. */
export type FileText = Pick<ImportRequest, 'text' | 'name' | 'columns'>;

/**
 * `error` means that the line is invalid, `warning` that it is valid but not imported, and `info` that leaving it out
 * has no effect.
 */
type LineSeverity = 'info' | 'warning' | 'error';

/** Line of a zone file that is not imported, and the reason. */
export interface SkippedLine {
  readonly line: number;
  readonly reason: string;
  readonly severity: LineSeverity;
  /** Stable code for programs. The reason is for people. */
  readonly code: string;
}

/** Skipped line with the beginning of its text. */
export type SkippedLineText = SkippedLine & { readonly text: string };

const MAX_TEXT = 120;
/** Number of lines between pauses for other requests. */
const LINES_PER_LOOK = 1_000;

/** The maximum number of lines with reasons, because nobody reads more of them. */
const MAX_LINES_SHOWN = 100;

/** Returns the first lines in the order of the file, with their texts. */
export async function showFirstLines(
  file: string,
  lines: readonly SkippedLine[],
): Promise<SkippedLineText[]> {
  const first = lines.toSorted((one, other) => one.line - other.line).slice(0, MAX_LINES_SHOWN);
  return await showLines(openText(file), first);
}

/** Adds the texts of lines, which are in the order of the file, in a single pass. */
async function showLines(file: string, lines: readonly SkippedLine[]): Promise<SkippedLineText[]> {
  const slices = new Slices();
  const shown: SkippedLineText[] = [];
  let number = 1;
  let start = 0;
  for (const each of lines) {
    for (; number < each.line; number += 1) {
      if (number % LINES_PER_LOOK === 0 && slices.isOver) await slices.next();
      const end = file.indexOf('\n', start);
      start = end === -1 ? file.length : end + 1;
    }
    const [text = ''] = file.slice(start, start + MAX_TEXT).split(/\r?\n/, 1);
    // Half a surrogate pair at the end is dropped.
    shown.push({ ...each, text: text.replace(/[\uD800-\uDBFF]$/, '') });
  }
  return shown;
}

const BYTE_ORDER_MARK = '\ufeff';

/** Returns the text without its byte order mark, with LF at the end of each line. Files of old Macs use only CR. */
export function openText(text: string): string {
  const body = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  return body.includes('\r') ? body.replaceAll('\r\n', '\n').replaceAll('\r', '\n') : body;
}
