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
  /** The names of those of a list that are shown, in their order; undefined: the usual ones. */
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

  /** Any number of rows; in JSON an array of objects. @throws InputError where a column was asked for that there is not */
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
   * Rows as they come: as lines of JSON or by a template each at once and in the order of the service, else as `list`, in the order of `compare`.
   *
   * @throws InputError where a column was asked for that there is not
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

  /** A result of several parts: for people a table of the chief part, in JSON all of it. */
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

  /** A sentence about what was done, which `isQuiet` leaves out; in JSON the object that tells the same. */
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

  /** Lines of a form of their own; in JSON the object that tells the same. */
  text(lines: readonly string[], result: unknown): void {
    this.#write(result, () => lines.map((line) => `${line}\n`).join(''));
  }

  /** A remark for whoever sits at the terminal, apart from what a script reads. */
  remark(sentence: string): void {
    if (!this.#isQuiet) this.#streams.stderr.write(`${sentence}\n`);
  }

  /** All of a row, or what was asked for. */
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

  /** `sentence` is asked for only when it is time to say it. */
  report(sentence: () => string): void {
    const now = performance.now();
    if (now - this.#saidAt < INTERVAL_MS) return;
    this.#saidAt = now;
    this.#output.remark(sentence());
  }
}

const ESCAPES: Readonly<Record<string, string>> = { '\\t': '\t', '\\n': '\n', '\\\\': '\\' };

/**
 * `{{name}} {{parent.checked_at}}`, with what a document has in these members; nothing for null, JSON for lists and objects. \t, \n and
 * \\ are what they are elsewhere.
 *
 * @throws InputError where the document has no such member, since a name that is written wrong would be an empty place in a script
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
