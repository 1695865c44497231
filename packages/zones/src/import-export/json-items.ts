import { FormFault } from './form-entry.js';

/** A member of an object or an item of an array. It is not searched for further records. */
export interface JsonItem {
  readonly line: number;
  /** The names of the members that lead to it; items of arrays add none. */
  readonly path: readonly string[];
  readonly value: unknown;
}

/** The maximum length of an item, because an item is read as a whole. No recordset is longer. */
const MAX_ITEM_CHARACTERS = 300_000;
const MAX_DEPTH = 4;

const END = 'The JSON text is incomplete; export the file again.';
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const NEWLINE = 0x0a;

/**
 * Reads a JSON text item by item, so that a large file is never read as a whole. Members whose names are in `lists` are
 * searched for items. The time is linear in the length of the text. Throws FormFault.
 */
export function* iterateJson(text: string, lists: ReadonlySet<string>): Generator<JsonItem> {
  const scanner = new JsonScanner(text);
  yield* walk(scanner, lists, []);
  if (scanner.peek() !== '') throw scanner.fault();
}

function* walk(
  scanner: JsonScanner,
  lists: ReadonlySet<string>,
  path: readonly string[],
): Generator<JsonItem> {
  const isArray = scanner.take('[');
  const end = isArray ? ']' : '}';
  if (!isArray && !scanner.take('{')) throw scanner.fault();
  if (scanner.take(end)) return;
  do {
    if (isArray) yield readItem(scanner, path);
    else yield* walkMember(scanner, lists, path);
  } while (scanner.take(','));
  if (!scanner.take(end)) throw scanner.fault();
}

function* walkMember(
  scanner: JsonScanner,
  lists: ReadonlySet<string>,
  path: readonly string[],
): Generator<JsonItem> {
  const name = scanner.readName();
  const own = [...path, name];
  const isSearched = lists.has(name) && path.length < MAX_DEPTH && '[{'.includes(scanner.peek());
  if (isSearched) yield* walk(scanner, lists, own);
  else yield readItem(scanner, own);
}

function readItem(scanner: JsonScanner, path: readonly string[]): JsonItem {
  scanner.peek();
  const { line } = scanner;
  return { line, path, value: scanner.readValue() };
}

class JsonScanner {
  readonly #text: string;
  #at = 0;
  #line = 1;

  constructor(text: string) {
    this.#text = text;
  }

  get line(): number {
    return this.#line;
  }

  fault(): FormFault {
    const where = this.#text.slice(this.#at, this.#at + 20);
    const what = `The file is not valid JSON at ${JSON.stringify(where)}; export it again.`;
    return this.#fault(where === '' ? END : what);
  }

  #fault(message: string): FormFault {
    return new FormFault(this.#line, message);
  }

  /** Returns the next character that is not a blank; empty at the end. */
  peek(): string {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === NEWLINE) this.#line += 1;
      else if (code !== 0x20 && code !== 0x09 && code !== 0x0d) return this.#text.charAt(this.#at);
      this.#at += 1;
    }
  }

  take(letter: string): boolean {
    if (this.peek() !== letter) return false;
    this.#at += 1;
    return true;
  }

  readName(): string {
    if (this.peek() !== '"') throw this.fault();
    const name = this.readValue() as string;
    if (!this.take(':')) throw this.fault();
    return name;
  }

  readValue(): unknown {
    this.peek();
    const start = this.#at;
    const end = this.#findEnd(start);
    const text = this.#text.slice(start, end);
    try {
      const value: unknown = JSON.parse(text);
      this.#line += countLines(text);
      this.#at = end;
      return value;
    } catch {
      throw end < this.#text.length ? this.fault() : this.#fault(END);
    }
  }

  /** Returns the offset after the value that begins at `start`. */
  #findEnd(start: number): number {
    let depth = 0;
    for (let at = start; at - start <= MAX_ITEM_CHARACTERS; at += 1) {
      const letter = this.#text.charAt(at);
      const step = DEPTHS[letter] ?? 0;
      const isOutside = depth === 0 && (letter === ',' || step < 0);
      if (letter === '' || isOutside) return at;
      if (letter === '"') at = this.#endOfString(at, start);
      depth += step;
      if (depth === 0 && '"]}'.includes(letter)) return at + 1;
    }
    const what = `An item of the file has more than ${MAX_ITEM_CHARACTERS} characters, more than a recordset can have.`;
    throw this.#fault(what);
  }

  /** Returns the offset of the closing quote of the string that begins at `at`. */
  #endOfString(at: number, start: number): number {
    for (let next = at + 1; next - start <= MAX_ITEM_CHARACTERS; next += 1) {
      const code = this.#text.charCodeAt(next);
      if (code === BACKSLASH) next += 1;
      else if (code === QUOTE || Number.isNaN(code)) return next;
    }
    return start + MAX_ITEM_CHARACTERS;
  }
}

const DEPTHS: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 };

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
