import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { InputError, printable } from './streams.js';
import { chooseColumns, type Column, pickMembers, renderRow, renderTable } from './table.js';

interface OutputStreams {
  /** A terminal says how wide it is. */
  readonly stdout: Writable & { readonly isTTY?: boolean | undefined; readonly columns?: number };
  readonly stderr: Writable;
}

/** `jsonl`: each document in a line of its own, of a list one for each row. */
type Format = 'table' | 'json' | 'jsonl';

interface OutputOptions {
  readonly onItem?: (row: unknown) => void;
  readonly isQuiet?: boolean;
  /** Names of the columns to print, in order. Undefined: the default columns. */
  readonly columns?: readonly string[] | undefined;
  /** Template of a line for each document or row. Replaces the format. */
  readonly template?: string | undefined;
}

/** Writes results to standard output: tables for people, JSON for scripts. */
export class Output {
  readonly #streams: OutputStreams;
  readonly #format: Format;
  readonly #onItem: (row: unknown) => void;
  readonly #isQuiet: boolean;
  readonly #columns: readonly string[] | undefined;
  readonly #template: string | undefined;

  constructor(
    streams: OutputStreams,
    format: Format,
    { onItem = () => undefined, isQuiet = false, columns, template }: OutputOptions = {},
  ) {
    this.#streams = streams;
    this.#format = format;
    this.#onItem = onItem;
    this.#isQuiet = isQuiet;
    this.#columns = columns;
    this.#template = template;
  }

  /** Prints any number of rows; in JSON an array of objects. @throws InputError for an unknown column */
  list<T extends object>(rows: readonly T[], columns: readonly Column<T>[]): void {
    const shown = chooseColumns(columns, this.#columns);
    if (this.#isByLine) {
      for (const row of rows) this.#write(this.#isolate(row, shown), () => '');
      return;
    }
    const documents = rows.map((row) => this.#isolate(row, shown));
    this.#write(documents, () => renderTable(rows, shown, this.#width));
  }

  /**
   * Prints rows as they arrive. JSON lines and templates are printed at once, in the order of the service; other formats as
   * `list` does, in the order of `compare`.
   *
   * @throws InputError for an unknown column
   */
  async stream<T extends object>(
    rows: AsyncIterable<T>,
    columns: readonly Column<T>[],
    compare?: (a: T, b: T) => number,
  ): Promise<void> {
    const shown = chooseColumns(columns, this.#columns);
    const all: T[] = [];
    for await (const row of rows) {
      if (!this.#isByLine) all.push(row);
      else {
        this.#write(this.#isolate(row, shown), () => '');
        // Wait for a slow reader, so that memory does not grow.
        if (this.#streams.stdout.writableNeedDrain) await once(this.#streams.stdout, 'drain');
      }
    }
    if (!this.#isByLine) this.list(compare === undefined ? all : all.sort(compare), columns);
  }

  /** Prints a result of several parts: for people a table of the main part, in JSON everything. */
  report<T>(
    result: object,
    table: () => { readonly rows: readonly T[]; readonly columns: readonly Column<T>[] },
  ): void {
    this.#write(result, () => {
      const { rows, columns } = table();
      return renderTable(rows, columns, this.#width);
    });
  }

  /** One row; in JSON an object. */
  item<T>(row: T, columns: readonly Column<T>[]): void {
    this.#onItem(row);
    this.#write(row, () => renderRow(row, columns));
  }

  /** Prints a sentence about the result, unless `isQuiet` is set; in JSON the equivalent object. */
  done(sentence: string, result: object): void {
    if (this.#isQuiet && this.#format === 'table' && this.#template === undefined) return;
    this.#write(result, () => `${sentence}\n`);
  }

  /** Several things that were done, a sentence for each; in JSON one array of the objects. */
  doneAll(all: readonly { readonly sentence: string; readonly result: object }[]): void {
    if (this.#format === 'json' && this.#template === undefined) {
      this.#write(
        all.map(({ result }) => result),
        () => '',
      );
      return;
    }
    for (const { sentence, result } of all) this.done(sentence, result);
  }

  /** Prints lines in a format of the command's own; in JSON the equivalent object. */
  text(lines: readonly string[], result: unknown): void {
    this.#write(result, () => lines.map((line) => `${line}\n`).join(''));
  }

  /** A remark for the user of the terminal, kept apart from the output that a script reads. */
  remark(sentence: string): void {
    if (!this.#isQuiet) this.#streams.stderr.write(`${sentence}\n`);
  }

  /** Returns all columns of a row, or the requested ones. */
  #isolate<T extends object>(row: T, shown: readonly Column<T>[]): object {
    return this.#columns === undefined ? row : pickMembers(row, shown);
  }

  get #isByLine(): boolean {
    return this.#format === 'jsonl' || this.#template !== undefined;
  }

  get #width(): number | undefined {
    const { isTTY = false, columns } = this.#streams.stdout;
    return isTTY ? columns : undefined;
  }

  #write(value: unknown, render: () => string): void {
    this.#streams.stdout.write(this.#textOf(value, render));
  }

  #textOf(value: unknown, render: () => string): string {
    const template = this.#template;
    if (template !== undefined) {
      const all: readonly unknown[] = Array.isArray(value) ? value : [value];
      return all.map((each) => `${fillTemplate(template, each)}\n`).join('');
    }
    if (this.#format === 'table') return render();
    return `${JSON.stringify(value, undefined, this.#format === 'json' ? 2 : undefined)}\n`;
  }
}

const INTERVAL_MS = 1_000;

/** Says on standard error how far a long command is, once a second at most; a short one says nothing. */
export class Progress {
  readonly #output: Output;
  #saidAt = performance.now();

  constructor(output: Output) {
    this.#output = output;
  }

  /** Composes the sentence only when it is printed. */
  report(sentence: () => string): void {
    const now = performance.now();
    if (now - this.#saidAt < INTERVAL_MS) return;
    this.#saidAt = now;
    this.#output.remark(sentence());
  }
}

const ESCAPES: Readonly<Record<string, string>> = { '\\t': '\t', '\\n': '\n', '\\\\': '\\' };

/**
 * Fills a template such as `{{name}} {{parent.checked_at}}` with members of a document: nothing for null, JSON for lists and
 * objects. \t, \n and \\ have their usual meaning.
 *
 * @throws InputError if the document has no such member: a misspelled name would leave a gap in a script's output
 */
export function fillTemplate(template: string, document: unknown): string {
  return template.replaceAll(/\{\{\s*([^{}]*?)\s*\}\}|\\[tn\\]/g, (whole, path?: string) =>
    path === undefined ? (ESCAPES[whole] ?? whole) : textOf(find(document, path)),
  );
}

function find(document: unknown, path: string): unknown {
  let value = document;
  for (const name of path.split('.')) {
    if (value === null || value === undefined) return undefined;
    if (typeof value !== 'object' || !Object.hasOwn(value, name)) {
      const names = typeof value === 'object' ? Object.keys(value).join(', ') : '';
      throw new InputError(
        `there is no member "${name}" for {{${path}}}. Members: ${names || 'none'}`,
      );
    }
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  return printable(typeof value === 'string' ? value : JSON.stringify(value));
}
