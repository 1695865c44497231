import { type Database, type PreparedStatement, runPrepared } from '@zonewright/database';

export type Value = string | number | null | readonly (string | Buffer | Date)[];

/** A statement with `:name` for each value, to be run past knex (runPrepared). */
export class NamedStatement {
  readonly #statement: PreparedStatement;
  readonly #names: readonly string[];

  constructor(name: string, sql: string) {
    const names: string[] = [];
    const text = sql.replace(/(?<!:):([a-z]\w*)/g, (_, each: string) => {
      if (!names.includes(each)) names.push(each);
      return `$${names.indexOf(each) + 1}`;
    });
    this.#statement = { name, text };
    this.#names = names;
  }

  /** Runs the statement as runPrepared does. @returns the rows */
  async run<Row>(
    db: Database,
    values: Readonly<Record<string, Value>>,
    beforeSend?: () => void,
  ): Promise<Row[]> {
    const given = this.#names.map((name) => values[name] ?? null);
    return await runPrepared<Row>(db, this.#statement, given, beforeSend);
  }
}

/** Rows of one statement: neither side minds them, */
const MAX_ROWS = 1_000;
/** nor so many octets of JSON, which are made in one go. */
const MAX_OCTETS = 524_288;

/** Rows as JSON for one statement, and how many they are. */
interface StatementPart {
  readonly json: string;
  readonly rows: number;
}

/** Rows in parts of which each is small enough for one statement. */
export function* statementParts<T>(
  rows: Iterable<T>,
  toRow: (row: T) => unknown,
): Generator<StatementPart> {
  let part: string[] = [];
  let octets = 0;
  for (const row of rows) {
    const text = JSON.stringify(toRow(row));
    part.push(text);
    octets += text.length;
    if (part.length < MAX_ROWS && octets < MAX_OCTETS) continue;
    yield { json: `[${part.join(',')}]`, rows: part.length };
    part = [];
    octets = 0;
  }
  if (part.length > 0) yield { json: `[${part.join(',')}]`, rows: part.length };
}

/** So much of a list is read and held at a time, in octets of what can be long in its rows. */
export const CHUNK_OCTETS = 1_048_576;

/** Some items of a list, and whether more of what was asked for follow. */
export interface Chunk<T> {
  readonly items: readonly T[];
  readonly isCut: boolean;
}

/**
 * A moment as the API shows it (D-ZONE-19): `2026-11-21T01:02:03.123456`, UTC, no zone. Kept as
 * text throughout, since a Date would lose the microseconds that order lists.
 */
export type Timestamp = string;

/** SQL that gives a timestamptz column as a Timestamp. */
export function asTimestamp(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')`;
}
