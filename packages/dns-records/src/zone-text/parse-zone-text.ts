import { DnsSyntaxError } from '../values/problem.js';
import { type Entry, EntryScanner } from './entry-scanner.js';
import { generateEntries, isGenerate } from './generate.js';
import { readDirective } from './read-directive.js';
import { readRecord } from './read-record.js';
import { initialState, type ZoneState } from './zone-state.js';
import {
  InvalidSoaError,
  UnsupportedTypeError,
  ZoneSyntaxError,
  type ZoneTextItem,
  type ZoneTextOptions,
  type ZoneTextProblem,
  type ZoneTextRecord,
} from './zone-text.js';

/** Returns all results of iterateZoneText in two lists. */
export function parseZoneText(
  text: string,
  options: ZoneTextOptions,
): { records: ZoneTextRecord[]; problems: ZoneTextProblem[] } {
  const records: ZoneTextRecord[] = [];
  const problems: ZoneTextProblem[] = [];
  for (const item of iterateZoneText(text, options)) {
    if ('record' in item) records.push(item.record);
    else if ('problem' in item) problems.push(item.problem);
  }
  return { records, problems };
}

/**
 * Reads a zone file in master-file format (RFC 1035 s5, with `$TTL` of RFC 2308 and the TTL units of BIND) record by
 * record. A rejected line yields a problem: syntax errors, unsupported types, `$INCLUDE`. Directives and
 * long runs of empty lines yield NOTHING. The time is linear in the length of the text, and only one entry is in
 * memory. @throws NameSyntaxError only for an invalid `origin`
 */
export function* iterateZoneText(text: string, options: ZoneTextOptions): Generator<ZoneTextItem> {
  const state = initialState(options);
  for (const entry of readEntries(text, options.line)) {
    if (entry === undefined) yield NOTHING;
    else if (entry instanceof ZoneSyntaxError) yield toProblem(entry, 0);
    else if (isGenerate(entry)) yield* generateItems(entry, state);
    else yield readItem(entry, state);
  }
}

const NOTHING: ZoneTextItem = { nothing: true };

function readItem(entry: Entry, state: ZoneState): ZoneTextItem {
  try {
    if (isDirective(entry)) {
      readDirective(entry.tokens, state);
      return NOTHING;
    }
    return { record: readRecord(entry, state) };
  } catch (error) {
    if (!(error instanceof DnsSyntaxError)) {
      throw error;
    }
    return toProblem(error, entry.line);
  }
}

/** Yields the records of `$GENERATE`, or only the first problem, because all its records have the same one. */
function* generateItems(entry: Entry, state: ZoneState): Generator<ZoneTextItem> {
  try {
    for (const generated of generateEntries(entry, state)) {
      yield { record: readRecord(generated, state) };
    }
  } catch (error) {
    if (!(error instanceof DnsSyntaxError)) throw error;
    yield toProblem(error, entry.line);
  }
}

function isDirective({ startsBlank, tokens: [first] }: Entry): boolean {
  return !startsBlank && first?.quoted === false && first.text.startsWith('$');
}

function toProblem(error: DnsSyntaxError, entryLine: number): ZoneTextItem {
  const line = error instanceof ZoneSyntaxError ? (error.line ?? entryLine) : entryLine;
  const code = error instanceof UnsupportedTypeError ? 'unsupported-type' : 'syntax';
  const soaOwner = error instanceof InvalidSoaError ? { soaOwner: error.owner } : {};
  return { problem: { line, code, message: error.message, ...soaOwner } };
}

/** Number of empty lines after which readEntries yields. */
const SILENT_LINES = 1_000;

/**
 * Yields the entries of a zone file without comments and empty lines. An invalid entry is yielded as a ZoneSyntaxError,
 * and parsing continues with the line after its first. The time is linear: only parentheses let an entry span lines and
 * they do not nest, so no line is read more than twice. In long runs of empty lines it sometimes yields undefined, so
 * that the caller can do other work.
 */
function* readEntries(text: string, line?: number): Generator<Entry | ZoneSyntaxError | undefined> {
  const scanner = new EntryScanner(text, line);
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
