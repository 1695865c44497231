import { LineCounter, parseDocument, visit } from 'yaml';
import { FormFault } from './form-entry.js';

/** A part of a YAML file at its left margin: a document, a member of a mapping, or an item of a list. */
export interface YamlItem {
  readonly line: number;
  /** Undefined for documents and items of lists. */
  readonly key: string | undefined;
  readonly value: unknown;
}

/** The maximum length of a part, because a part is parsed as a whole, which takes at most about 50 ms. */
const MAX_ITEM_CHARACTERS = 16_384;
/** The limit for aliases of aliases, which could make a part very large. */
const MAX_ALIASES = 100;

/** Consecutive lines that are parsed together. */
interface Part {
  readonly line: number;
  readonly lines: string[];
  characters: number;
}

/**
 * Reads a YAML file of octoDNS or gcloud in parts, so that a large file does not delay other requests. Anchors work
 * only within a part. The time is linear in the length of the text. Yields undefined for lines without a result.
 * @throws FormFault
 */
export function* iterateYaml(text: string): Generator<YamlItem | undefined> {
  let part: Part | undefined;
  let number = 0;
  for (let start = 0; start <= text.length;) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    number += 1;
    if (end - start > MAX_ITEM_CHARACTERS) throw tooLong(number);
    const line = text.slice(start, end).trimEnd();
    start = end + 1;
    if (beginsPart(line, part)) {
      yield* readPart(part);
      part = { line: number, lines: [], characters: 0 };
    }
    if (part === undefined || isMark(line)) {
      yield undefined;
      continue;
    }
    part.lines.push(line);
    part.characters += line.length + 1;
    if (part.characters > MAX_ITEM_CHARACTERS) throw tooLong(number);
    yield undefined;
  }
  yield* readPart(part);
}

function tooLong(line: number): FormFault {
  const what = `A part of the file has more than ${MAX_ITEM_CHARACTERS} characters, more than a name can have.`;
  return new FormFault(line, what);
}

function isMark(line: string): boolean {
  return line.startsWith('---') || line === '...';
}

/**
 * Returns whether a line begins a new part. A mapping at the left margin is read key by key, unless it is a document of
 * gcloud, whose first key is `kind` or `name`.
 */
function beginsPart(line: string, part: Part | undefined): boolean {
  if (isMark(line)) return true;
  if (line === '' || ' \t#'.includes(line.charAt(0))) return false;
  const [first] = part?.lines ?? [];
  if (first === undefined) return part === undefined;
  const isDocument = first.startsWith('kind:') || first.startsWith('name:');
  // A list may begin at the margin of its key.
  return !isDocument && !(line.startsWith('- ') && !first.startsWith('- '));
}

function* readPart(part: Part | undefined): Generator<YamlItem> {
  const value = part === undefined ? undefined : parse(part);
  if (part === undefined || value === null || value === undefined) return;
  const { line } = part;
  if (Array.isArray(value)) {
    for (const each of value as unknown[]) yield { line, key: undefined, value: each };
  } else if (typeof value !== 'object' || 'kind' in value) {
    yield { line, key: undefined, value };
  } else {
    for (const [key, each] of Object.entries(value)) yield { line, key, value: each as unknown };
  }
}

function parse({ line, lines }: Part): unknown {
  const lineCounter = new LineCounter();
  try {
    const document = parseDocument(lines.join('\n'), {
      lineCounter,
      schema: 'failsafe',
      prettyErrors: false,
    });
    const [fault] = document.errors;
    if (fault?.code === 'RESOURCE_EXHAUSTION') throw new RangeError(fault.message);
    if (fault !== undefined) {
      const at = line + lineCounter.linePos(fault.pos[0]).line - 1;
      throw new FormFault(at, `The file is not valid YAML: ${fault.message}.`);
    }
    visit(document, {
      Scalar: (place, node) => {
        if (place !== 'key' && node.type === 'PLAIN') node.value = plainValue(String(node.value));
      },
    });
    return document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown;
  } catch (error) {
    if (error instanceof FormFault) throw error;
    // The parser is recursive, and it limits aliases.
    throw new FormFault(line, 'The YAML file is nested too deep, or has too many aliases.');
  }
}

/** Converts numbers and words that differ from their text. A long number, such as a serial, keeps its digits. */
function plainValue(text: string): unknown {
  if (/^\d{1,10}$/.test(text)) return Number(text);
  if (text === 'true' || text === 'false') return text === 'true';
  return text === 'null' || text === '~' || text === '' ? null : text;
}
