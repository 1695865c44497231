/** `error`: the line is wrong; `warning`: it is lost here; `info`: nothing is lost by it. */
export type LineSeverity = 'info' | 'warning' | 'error';

/** A line of a zone file that is not taken, and why. */
export interface LineNotTaken {
  readonly line: number;
  readonly reason: string;
  readonly severity: LineSeverity;
  /** Stays the same for programs; the reason is for people. */
  readonly code: string;
}

/** One with what stands in that line, or the beginning of it. */
export type ShownLine = LineNotTaken & { readonly text: string };

const MAX_TEXT = 120;

/** Adds the texts of lines that come in the order of the file, in one way through it. */
export function showLines(file: string, lines: readonly LineNotTaken[]): ShownLine[] {
  let number = 1;
  let start = 0;
  return lines.map((each) => {
    for (; number < each.line; number += 1) {
      const end = file.indexOf('\n', start);
      start = end === -1 ? file.length : end + 1;
    }
    const [text = ''] = file.slice(start, start + MAX_TEXT).split(/\r?\n/, 1);
    // Half a character is none.
    return { ...each, text: text.replace(/[\uD800-\uDBFF]$/, '') };
  });
}
