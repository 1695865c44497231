import { type Entry, EntryScanner } from './entry-scanner.js';
import { ZoneSyntaxError } from './zone-syntax-error.js';

/** Number of empty lines after which readEntries yields. */
const SILENT_LINES = 1_000;

/**
 * Yields the entries of a zone file without comments and empty lines. An invalid entry is yielded as a ZoneSyntaxError; parsing
 * continues with the line after its first. It takes linear time: only parentheses let an entry span lines and they do not nest,
 * so no line is read more than twice. In long runs of empty lines it yields undefined now and then, so that the caller can do
 * other work.
 */
export function* readEntries(text: string): Generator<Entry | ZoneSyntaxError | undefined> {
  const scanner = new EntryScanner(text);
  let emptyLines = 0;
  while (!scanner.atEnd()) {
    const entry = scanner.skipNewline() ? undefined : readEntry(scanner);
    if (entry instanceof ZoneSyntaxError || (entry?.tokens.length ?? 0) > 0) {
      yield entry;
    } else {
      emptyLines += 1;
      if (emptyLines % SILENT_LINES === 0) yield undefined;
    }
  }
}

function readEntry(scanner: EntryScanner): Entry | ZoneSyntaxError {
  const { line } = scanner;
  try {
    return scanner.readEntry();
  } catch (error) {
    if (!(error instanceof ZoneSyntaxError)) {
      throw error;
    }
    scanner.skipToLineAfter(line);
    return error;
  }
}
