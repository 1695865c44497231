import { type Entry, EntryScanner } from './entry-scanner.js';
import { ZoneSyntaxError } from './zone-syntax-error.js';

/** Number of empty lines after which readEntries yields. */
const SILENT_LINES = 1_000;

/**
 * The entries of a zone file one after the other, without comments and empty lines. An entry that
 * is not well formed comes as a ZoneSyntaxError; reading goes on with the line after its first.
 * Linear: an entry spans lines only by parentheses, these do not nest, and so no line is read more
 * than twice. Now and then an undefined comes while nothing but empty lines does, so that whoever
 * reads can do other work in between.
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
