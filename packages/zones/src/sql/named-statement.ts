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
