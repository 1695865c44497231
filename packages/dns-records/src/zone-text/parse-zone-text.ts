import { DnsSyntaxError } from '../problems/dns-syntax-error.js';
import { readEntries } from './entries.js';
import type { Entry } from './entry-scanner.js';
import { readDirective } from './read-directive.js';
import { readRecord } from './read-record.js';
import { initialState, type ZoneState } from './zone-state.js';
import { UnsupportedTypeError, ZoneSyntaxError } from './zone-syntax-error.js';
import type {
  ZoneTextItem,
  ZoneTextOptions,
  ZoneTextProblem,
  ZoneTextRecord,
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
 * Reads a zone file in master-file format (RFC 1035 s5, with RFC 2308's `$TTL` and BIND's TTL units) record by record.
 * A line that is not accepted gives a problem: syntax errors, unsupported types, `$INCLUDE`, `$GENERATE`. Directives
 * and many empty lines give NOTHING. Takes time linear in the text and holds one entry at a time. No text makes it
 * throw; an invalid `origin` does (NameSyntaxError).
 */
export function* iterateZoneText(text: string, options: ZoneTextOptions): Generator<ZoneTextItem> {
  const state = initialState(options);
  for (const entry of readEntries(text)) {
    if (entry === undefined) yield NOTHING;
    else yield entry instanceof ZoneSyntaxError ? toProblem(entry, 0) : readItem(entry, state);
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

function isDirective({ startsBlank, tokens: [first] }: Entry): boolean {
  return !startsBlank && first?.quoted === false && first.text.startsWith('$');
}

function toProblem(error: DnsSyntaxError, entryLine: number): ZoneTextItem {
  const line = error instanceof ZoneSyntaxError ? (error.line ?? entryLine) : entryLine;
  const code = error instanceof UnsupportedTypeError ? 'unsupported-type' : 'syntax';
  return { problem: { line, code, message: error.message } };
}
