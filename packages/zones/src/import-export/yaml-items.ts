import { FormFault } from './form-entry.js';

/** A part of a YAML file at its left margin: a document, a member of a mapping or an item of a list. */
export interface YamlItem {
  readonly line: number;
  /** Undefined for documents and items of lists. */
  readonly key: string | undefined;
  readonly value: unknown;
}

/** No name has longer records: a part is read in one go. */
const MAX_ITEM_CHARACTERS = 300_000;
const MAX_LINE_CHARACTERS = 100_000;
const MAX_DEPTH = 10;

interface Line {
  readonly number: number;
  readonly indent: number;
  readonly text: string;
}

/**
 * Reads the part of YAML that octoDNS and gcloud write: mappings and lists in blocks, scalars plain or quoted, over several lines.
 * Takes time linear in the text. Yields undefined for lines of which nothing is to be told yet. Throws FormFault.
 */
export function* iterateYaml(text: string): Generator<YamlItem | undefined> {
  let lines: Line[] = [];
  let characters = 0;
  for (const line of iterateLines(text)) {
    if (line === undefined) {
      yield undefined;
      continue;
    }
    const isMark = line.indent === 0 && (line.text.startsWith('---') || line.text === '...');
    if (isMark || (line.indent === 0 && startsItem(line, lines[0]))) {
      yield* readItems(lines);
      lines = [];
      characters = 0;
    }
    if (!isMark) lines.push(line);
    characters += line.text.length;
    if (characters > MAX_ITEM_CHARACTERS) {
      const what = `A part of the file has more than ${MAX_ITEM_CHARACTERS} characters; no name has so many records.`;
      throw new FormFault(line.number, what);
    }
  }
  yield* readItems(lines);
}

/** A mapping at the margin is read key by key, unless it is a document of gcloud, whose first key is `kind`. */
function startsItem(line: Line, first: Line | undefined): boolean {
  if (first === undefined) return false;
  const isDocument = first.text.startsWith('kind:') || first.text.startsWith('name:');
  return !isDocument && !(line.text.startsWith('- ') && !first.text.startsWith('- '));
}

/** Undefined for empty lines and comments. */
function* iterateLines(text: string): Generator<Line | undefined> {
  let number = 0;
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    number += 1;
    if (end - start > MAX_LINE_CHARACTERS) {
      throw new FormFault(
        number,
        `A line of the file has more than ${MAX_LINE_CHARACTERS} characters.`,
      );
    }
    const line = text.slice(start, end).trimEnd();
    const content = line.trimStart();
    start = end + 1;
    const isEmpty = content === '' || content.startsWith('#');
    yield isEmpty ? undefined : { number, indent: line.length - content.length, text: content };
  }
}

function* readItems(lines: readonly Line[]): Generator<YamlItem> {
  const [first] = lines;
  if (first === undefined) return;
  const value = new YamlReader(lines).readBlock(first.indent, 0);
  if (Array.isArray(value)) {
    for (const each of value) yield { line: first.number, key: undefined, value: each };
    return;
  }
  const isDocument = first.text.startsWith('kind:') || first.text.startsWith('name:');
  if (isDocument || typeof value !== 'object' || value === null) {
    yield { line: first.number, key: undefined, value };
    return;
  }
  for (const [key, each] of Object.entries(value)) yield { line: first.number, key, value: each };
}

class YamlReader {
  readonly #lines: Line[];
  #at = 0;

  constructor(lines: readonly Line[]) {
    this.#lines = [...lines];
  }

  readBlock(indent: number, depth: number): unknown {
    const line = this.#lines[this.#at];
    if (line === undefined || line.indent < indent) return null;
    if (depth > MAX_DEPTH) throw this.#fault(line, 'is nested too deep');
    if (isListItem(line.text)) return this.#readList(line.indent, depth);
    return splitKey(line.text) === undefined
      ? this.#readScalar(line.text, line.indent - 1, line)
      : this.#readMapping(line.indent, depth);
  }

  #readList(indent: number, depth: number): unknown[] {
    const items: unknown[] = [];
    for (;;) {
      const line = this.#lines[this.#at];
      if (line === undefined || line.indent !== indent || !/^-(?: |$)/.test(line.text))
        return items;
      const rest = line.text.slice(1).trimStart();
      const offset = line.text.length - rest.length;
      if (rest === '') {
        this.#at += 1;
        items.push(this.readBlock(indent + 1, depth + 1));
      } else {
        // The rest of the line is the first line of a block of its own.
        this.#lines[this.#at] = { ...line, indent: indent + offset, text: rest };
        const isMapping = splitKey(rest) !== undefined || rest.startsWith('- ');
        items.push(
          isMapping
            ? this.readBlock(indent + offset, depth + 1)
            : this.#readScalar(rest, indent, line),
        );
      }
    }
  }

  #readMapping(indent: number, depth: number): Record<string, unknown> {
    const members = new Map<string, unknown>();
    let line = this.#lines[this.#at];
    for (; line?.indent === indent; line = this.#lines[this.#at]) {
      const split = splitKey(line.text);
      if (split === undefined) throw this.#fault(line, 'is not "name: value"');
      const { key, rest } = split;
      const isBlock = rest === '' || rest.startsWith('#');
      const value = isBlock
        ? this.#readMember(indent, depth)
        : this.#readScalar(rest, indent, line);
      members.set(key, value);
    }
    if (line !== undefined && line.indent > indent) throw this.#fault(line, 'is indented too far');
    return Object.fromEntries(members);
  }

  /** The block below a key. A list may begin at the margin of its key. */
  #readMember(indent: number, depth: number): unknown {
    this.#at += 1;
    const next = this.#lines[this.#at];
    const isListHere = next?.indent === indent && isListItem(next.text);
    return this.readBlock(isListHere ? indent : indent + 1, depth + 1);
  }

  /** A scalar that begins on this line. Lines that are further in than `indent` continue it. */
  #readScalar(text: string, indent: number, line: Line): unknown {
    const first = text.charAt(0);
    const parts =
      first === "'" || first === '"'
        ? this.#readQuoted(text, first)
        : this.#readPlain(text, indent);
    return this.#toValue(parts.join(' '), line);
  }

  #readPlain(text: string, indent: number): string[] {
    const parts = [text];
    this.#at += 1;
    for (; (this.#lines[this.#at]?.indent ?? -1) > indent; this.#at += 1) {
      parts.push(this.#lines[this.#at]?.text ?? '');
    }
    return parts;
  }

  /** Only the new part is searched for the quote, so that the time stays linear. */
  #readQuoted(text: string, quote: string): string[] {
    const parts = [text];
    let isOpen = endOfQuoted(text, quote) === undefined;
    this.#at += 1;
    for (; isOpen && this.#at < this.#lines.length; this.#at += 1) {
      const part = this.#lines[this.#at]?.text ?? '';
      isOpen = endOfQuoted(part, quote, 0) === undefined;
      parts.push(part);
    }
    return parts;
  }

  #toValue(text: string, line: Line): unknown {
    const first = text.charAt(0);
    if ('&*!|>%@`{'.includes(first)) {
      throw this.#fault(
        line,
        `begins a value with ${JSON.stringify(first)}, which is not read here`,
      );
    }
    if (first === '[') return this.#readFlow(text, line);
    if (first !== "'" && first !== '"') return plainValue(text);
    const end = endOfQuoted(text, first);
    if (end === undefined) throw this.#fault(line, 'has a quote that is not closed');
    const inside = text.slice(1, end);
    if (first === "'") return inside.replaceAll("''", "'");
    try {
      return JSON.parse(`"${inside.replaceAll('\\ ', ' ')}"`) as unknown;
    } catch {
      throw this.#fault(line, 'has an escape that is not read here');
    }
  }

  /** A list in brackets of scalars without commas. */
  #readFlow(text: string, line: Line): unknown[] {
    if (!text.endsWith(']')) throw this.#fault(line, 'has a bracket that is not closed');
    const inside = text.slice(1, -1).trim();
    return inside === '' ? [] : inside.split(',').map((each) => this.#toValue(each.trim(), line));
  }

  #fault({ number, text }: Line, what: string): FormFault {
    return new FormFault(
      number,
      `The line ${JSON.stringify(text.slice(0, 40))} of the YAML file ${what}.`,
    );
  }
}

function isListItem(text: string): boolean {
  return text === '-' || text.startsWith('- ');
}

/** Offset of the closing quote; undefined if there is none. A doubled single quote is part of the text. */
function endOfQuoted(text: string, quote: string, from = 1): number | undefined {
  for (let at = from; at < text.length; at += 1) {
    const letter = text[at];
    if (letter === '\\' && quote === '"') at += 1;
    else if (letter === quote) {
      if (quote !== "'" || text[at + 1] !== "'") return at;
      at += 1;
    }
  }
  return undefined;
}

function splitKey(text: string): { key: string; rest: string } | undefined {
  const first = text.charAt(0);
  if (first === "'" || first === '"') {
    const end = endOfQuoted(text, first);
    if (end === undefined || text[end + 1] !== ':') return undefined;
    return { key: text.slice(1, end), rest: text.slice(end + 2).trim() };
  }
  const colon = text.endsWith(':') && !text.includes(': ') ? text.length - 1 : text.indexOf(': ');
  if (colon <= 0) return undefined;
  return { key: text.slice(0, colon), rest: text.slice(colon + 1).trim() };
}

function plainValue(text: string): unknown {
  const comment = text.indexOf(' #');
  const value = comment === -1 ? text : text.slice(0, comment).trimEnd();
  if (/^\d{1,10}$/.test(value)) return Number(value);
  if (value === 'true' || value === 'false') return value === 'true';
  return value === 'null' || value === '~' ? null : value;
}
