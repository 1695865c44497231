import { EntryScanner, type Entry, type Token } from './entry-scanner.js';
import type { ZoneState } from './zone-state.js';
import { ZoneSyntaxError } from './zone-text.js';

/** Maximum number of records from all `$GENERATE` lines of a file: the addresses of an IPv4 network of 16 bits. */
const MAX_GENERATED = 65_536;
/** Maximum width of a number, as in BIND: an IPv6 address has 32 nibbles with 31 dots. */
const MAX_WIDTH = 63;
const MAX_TEMPLATE_CHARACTERS = 1_024;
const EXAMPLE = '$GENERATE 1-10 host$ A 192.0.2.$';

export function isGenerate({ startsBlank, tokens: [first] }: Entry): boolean {
  return !startsBlank && first?.quoted === false && first.text.toUpperCase() === '$GENERATE';
}

/**
 * Yields the entries that a `$GENERATE` line represents (BIND 9 manual, section "$GENERATE"). Throws ZoneSyntaxError.
 */
export function* generateEntries(entry: Entry, state: ZoneState): Generator<Entry> {
  const [, range, ...words] = entry.tokens;
  const template = words.map(toText).join(' ');
  if (range === undefined || words.length < 3) {
    throw new ZoneSyntaxError(`$GENERATE takes a range, a name, a type and data: ${EXAMPLE}`);
  }
  if (template.length > MAX_TEMPLATE_CHARACTERS) {
    throw new ZoneSyntaxError(
      `The text of $GENERATE has more than ${MAX_TEMPLATE_CHARACTERS} characters; shorten it.`,
    );
  }
  const { start, stop, step } = readRange(range.text);
  const count = Math.floor((stop - start) / step) + 1;
  if (state.generated + count > MAX_GENERATED) {
    throw new ZoneSyntaxError(
      `$GENERATE would make the file more than ${MAX_GENERATED} records longer; choose a smaller range.`,
    );
  }
  state.generated += count;
  const parts = readTemplate(template);
  for (let value = start; value <= stop; value += step) {
    const line = parts.map((part) => (typeof part === 'string' ? part : part(value))).join('');
    yield { ...new EntryScanner(line).readEntry(), line: entry.line, startsBlank: false };
  }
}

function toText({ text, quoted }: Token): string {
  return quoted ? `"${text}"` : text;
}

function readRange(text: string) {
  const [, from = '', to = '', by = '1'] =
    /^(\d{1,10})-(\d{1,10})(?:\/(\d{1,10}))?$/.exec(text) ?? [];
  const [start, stop, step] = [Number(from), Number(to), Number(by)];
  if (from !== '' && start <= stop && step > 0) return { start, stop, step };
  throw new ZoneSyntaxError(
    `"${text.slice(0, 40)}" is not a range of $GENERATE; write one such as 1-10 or 0-254/2.`,
  );
}

type Part = string | ((value: number) => string);

/** Parses a text in which `$` or `${offset,width,base}` stands for the number; `\$` and `$$` are a dollar sign. */
function readTemplate(template: string): Part[] {
  const parts: Part[] = [];
  let text = '';
  for (let at = 0; at < template.length; at += 1) {
    const letter = template[at] ?? '';
    const next = template[at + 1];
    if (letter === '\\' && next !== undefined) {
      text += next === '$' ? '$' : letter + next;
      at += 1;
    } else if (letter !== '$') {
      text += letter;
    } else if (next === '$') {
      text += '$';
      at += 1;
    } else {
      const end = next === '{' ? template.indexOf('}', at) : at;
      if (end === -1) throw new ZoneSyntaxError('A "${" of $GENERATE is not closed; add the "}".');
      parts.push(text, readModifier(template.slice(at + 2, end)));
      text = '';
      at = end;
    }
  }
  return [...parts, text];
}

function readModifier(text: string): Part {
  const [, offset = '0', width = '0', base = 'd'] =
    /^(-?\d{1,10})?(?:,(\d{1,2}))?(?:,([doxXnN]))?$/.exec(text) ?? [];
  const isValid = text === '' || /^-?\d{1,10}(?:,\d{1,2}(?:,[doxXnN])?)?$/.test(text);
  if (!isValid || Number(width) > MAX_WIDTH) {
    throw new ZoneSyntaxError(
      `"\${${text.slice(0, 40)}}" is not a number of $GENERATE; write one such as \${0,3,d}.`,
    );
  }
  return (value) => {
    const number = value + Number(offset);
    if (number < 0)
      throw new ZoneSyntaxError('A number of $GENERATE is below 0; increase its offset.');
    return writeNumber(number, Number(width), base);
  };
}

const RADIX: Readonly<Record<string, number>> = { d: 10, o: 8, x: 16, n: 16 };

function writeNumber(value: number, width: number, base: string): string {
  const digits = value.toString(RADIX[base.toLowerCase()]);
  const cased = base === 'X' || base === 'N' ? digits.toUpperCase() : digits;
  return base.toLowerCase() === 'n' ? writeNibbles(cased, width) : cased.padStart(width, '0');
}

/**
 * Writes nibbles in reverse order, as in names below ip6.arpa. The width includes the dots, also a final one, as in
 * BIND.
 */
function writeNibbles(digits: string, width: number): string {
  const nibbles = Array.from(digits.padStart(Math.ceil(width / 2), '0'));
  const text = nibbles.reverse().join('.');
  return text.length < width ? `${text}.` : text;
}
