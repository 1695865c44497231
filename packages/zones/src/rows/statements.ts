import { type Database, type PreparedStatement, runPrepared } from '@zonewright/database';

export type Value = string | number | null | readonly (string | Buffer | Date)[];

/** Statement with `:name` for each value, which bypasses knex (runPrepared). */
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

/** Maximum number of rows in one statement. */
const MAX_ROWS = 1_000;
/** Maximum size of a statement's JSON in bytes, since it is created in one call. */
const MAX_OCTETS = 524_288;

/** Rows for one statement as JSON, and their number. */
interface StatementPart {
  readonly json: string;
  readonly rows: number;
}

/** Splits rows into parts that are small enough for one statement. */
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

/** Runs a statement for each part. The next part is made while the database works. */
export async function runParts<Part>(
  parts: Iterable<Part>,
  run: (part: Part) => Promise<unknown>,
): Promise<void> {
  let running: Promise<unknown> = Promise.resolve();
  for (const part of parts) {
    await running;
    running = run(part);
  }
  await running;
}

/** Amount of a list that is read and kept in memory at a time, in bytes of its long values. */
export const CHUNK_OCTETS = 1_048_576;

/** Items of a list, and whether more follow. */
export interface Chunk<T> {
  readonly items: readonly T[];
  readonly isCut: boolean;
}

/**
 * Time in the format of the API (D-ZONE-19): `2026-11-21T01:02:03.123456`, in UTC without a time zone. It is text
 * everywhere, since a Date would lose the microseconds by which lists are sorted.
 */
export type Timestamp = string;

/** Returns SQL that converts a timestamptz column to a Timestamp. */
export function asTimestamp(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')`;
}
