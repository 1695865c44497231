import type { Writable } from 'node:stream';
import { type Column, renderRow, renderTable } from './table.js';

interface OutputStreams {
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/** What a command has to say: tables for people, or JSON for scripts, on standard output. */
export class Output {
  readonly #streams: OutputStreams;
  readonly #format: 'table' | 'json';
  readonly #onItem: (row: unknown) => void;
  readonly #isQuiet: boolean;

  constructor(
    streams: OutputStreams,
    format: 'table' | 'json',
    {
      onItem = () => undefined,
      isQuiet = false,
    }: { readonly onItem?: (row: unknown) => void; readonly isQuiet?: boolean } = {},
  ) {
    this.#streams = streams;
    this.#format = format;
    this.#onItem = onItem;
    this.#isQuiet = isQuiet;
  }

  /** Any number of rows; in JSON an array of objects. */
  list<T>(rows: readonly T[], columns: readonly Column<T>[]): void {
    this.#write(rows, () => renderTable(rows, columns));
  }

  /** A result of several parts: for people a table of the chief part, in JSON all of it. */
  report<T>(
    result: object,
    table: () => { readonly rows: readonly T[]; readonly columns: readonly Column<T>[] },
  ): void {
    this.#write(result, () => {
      const { rows, columns } = table();
      return renderTable(rows, columns);
    });
  }

  /** One row; in JSON an object. */
  item<T>(row: T, columns: readonly Column<T>[]): void {
    this.#onItem(row);
    this.#write(row, () => renderRow(row, columns));
  }

  /** A sentence about what was done, which `isQuiet` leaves out; in JSON the object that tells the same. */
  done(sentence: string, result: object): void {
    if (this.#isQuiet && this.#format === 'table') return;
    this.#write(result, () => `${sentence}\n`);
  }

  /** Lines of a form of their own; in JSON the object that tells the same. */
  text(lines: readonly string[], result: unknown): void {
    this.#write(result, () => lines.map((line) => `${line}\n`).join(''));
  }

  /** A remark for whoever sits at the terminal, apart from what a script reads. */
  remark(sentence: string): void {
    if (!this.#isQuiet) this.#streams.stderr.write(`${sentence}\n`);
  }

  #write(value: unknown, render: () => string): void {
    const text = this.#format === 'json' ? `${JSON.stringify(value, undefined, 2)}\n` : render();
    this.#streams.stdout.write(text);
  }
}
