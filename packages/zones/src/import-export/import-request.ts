import { Slices } from '@zonewright/service-kit';

/** How a zone file meets what is there: added to it, or in its place. */
export type ImportMode = 'merge' | 'replace';

export interface ImportRequest {
  readonly text: string;
  readonly mode: ImportMode;
  /** Treatment of a file with invalid lines or without records. */
  readonly onError: 'refuse' | 'skip';
  /** Whether many records may be removed. */
  readonly confirm: boolean;
  /** Name of a new domain. Default: from the SOA of the file. */
  readonly name: string | undefined;
  readonly email: string | undefined;
}

/** `error`: the line is wrong; `warning`: it is lost here; `info`: nothing is lost by it. */
type LineSeverity = 'info' | 'warning' | 'error';

/** A line of a zone file that is not taken, and why. */
export interface SkippedLine {
  readonly line: number;
  readonly reason: string;
  readonly severity: LineSeverity;
  /** Stays the same for programs; the reason is for people. */
  readonly code: string;
}

/** Line that was not taken, with its text or the beginning of it. */
export type SkippedLineText = SkippedLine & { readonly text: string };

const MAX_TEXT = 120;
/** How often it is asked whether others should have their turn. */
const LINES_PER_LOOK = 1_000;

/** Adds the texts of lines that come in the order of the file, in one way through it. */
export async function showLines(
  file: string,
  lines: readonly SkippedLine[],
): Promise<SkippedLineText[]> {
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
    // Half a character is none.
    shown.push({ ...each, text: text.replace(/[\uD800-\uDBFF]$/, '') });
  }
  return shown;
}
