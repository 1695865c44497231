import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { InputError, printable } from './streams.js';
import { chooseColumns, type Column, pickMembers, renderRow, renderTable } from './table.js';

interface OutputStreams {
  /** Standard output. A terminal has a number of columns. */
  readonly stdout: Writable & { readonly isTTY?: boolean | undefined; readonly columns?: number };
  readonly stderr: Writable;
}

/** Output format. `jsonl` prints each document, or each row of a list, on its own line. */
type Format = 'table' | 'json' | 'jsonl';

interface OutputOptions {
  readonly onItem?: (row: unknown) => void;
  readonly isQuiet?: boolean;
  /** Names of the columns to print, in order. Undefined means the default columns. */
  readonly columns?: readonly string[] | undefined;
  /** Template of a line for each document or row. It replaces the format. */
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

  /** Prints any number of rows. In JSON, they are an array of objects. @throws InputError for an unknown column */
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
   * Prints rows as they arrive. JSON lines and templates are printed at once, in the order of the service. Other
   * formats are printed as by `list`, in the order of `compare`.
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

  /** Prints a result with several parts: a table of the main part, or everything in JSON. */
  report<T>(
    result: object,
    table: () => { readonly rows: readonly T[]; readonly columns: readonly Column<T>[] },
  ): void {
    this.#write(result, () => {
      const { rows, columns } = table();
      return renderTable(rows, columns, this.#width);
    });
  }

  /** Prints one row. In JSON, it is an object. */
  item<T>(row: T, columns: readonly Column<T>[]): void {
    this.#onItem(row);
    this.#write(row, () => renderRow(row, columns));
  }

  /** Prints a sentence about the result, unless `isQuiet` is set. In JSON, prints the object. */
  done(sentence: string, result: object): void {
    if (this.#isQuiet && this.#format === 'table' && this.#template === undefined) return;
    this.#write(result, () => `${sentence}\n`);
  }

  /** Prints a sentence for each of several results. In JSON, they are one array of objects. */
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

  /** Prints lines in the command's own format. In JSON, prints the object. */
  text(lines: readonly string[], result: unknown): void {
    this.#write(result, () => lines.map((line) => `${line}\n`).join(''));
  }

  /** Prints a remark for the user on standard error, separate from the output that a script reads. */
  remark(sentence: string): void {
    if (!this.#isQuiet) this.#streams.stderr.write(`${sentence}\n`);
  }

  /** Returns the requested columns of a row, or all. */
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

/** Reports the progress of a long command on standard error, at most once a second. A short command prints nothing. */
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
 * Fills a template such as `{{name}} {{parent.checked_at}}` with members of a document. Null becomes an empty text,
 * lists and objects become JSON. \t, \n and \\ have their usual meaning.
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
