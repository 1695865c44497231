/** Parsed regular expression for names. Letters match both cases. */
export type PatternNode =
  | { readonly kind: 'character'; readonly codes: ReadonlySet<number> }
  | { readonly kind: 'start' }
  | { readonly kind: 'end' }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly parts: readonly PatternNode[] }
  | {
      readonly kind: 'repeat';
      readonly part: PatternNode;
      readonly least: number;
      /** Undefined means any number. */
      readonly most: number | undefined;
    };

/** Syntax error in a pattern. The message contains the position. */
export class PatternSyntaxError extends Error {
  override readonly name = 'PatternSyntaxError';
}

const MAX_PATTERN_CHARACTERS = 255;
const MAX_REPEATS = 255;
const ASCII = 128;

const CLASSES: Readonly<Record<string, RegExp>> = {
  d: /[0-9]/,
  D: /[^0-9]/,
  w: /\w/,
  W: /\W/,
  s: /\s/,
  S: /\S/,
};

/**
 * Parses regular expressions whose match takes time linear in the length of the name: literals, `.`, classes, groups,
 * `|`, `* + ? {m,n}`, `^` and `$`. Syntax that needs backtracking (references, lookaround) is rejected.
 *
 * @throws PatternSyntaxError
 */
export function parsePattern(text: string): PatternNode {
  if (text === '') throw new PatternSyntaxError('is empty, which would match every name');
  if (text.length > MAX_PATTERN_CHARACTERS) {
    throw new PatternSyntaxError(`has more than ${MAX_PATTERN_CHARACTERS} characters`);
  }
  const reader = new PatternReader(text);
  const node = reader.readChoice();
  reader.requireEnd();
  return node;
}

type Bounds = Pick<Extract<PatternNode, { kind: 'repeat' }>, 'least' | 'most'>;

class PatternReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  requireEnd(): void {
    if (this.#at < this.#text.length) throw this.#error('has ")" without "("');
  }

  readChoice(): PatternNode {
    const parts = [this.#readSequence()];
    while (this.#take('|')) parts.push(this.#readSequence());
    return { kind: 'choice', parts };
  }

  #readSequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.#at < this.#text.length && !'|)'.includes(this.#peek())) {
      parts.push(this.#readRepeated());
    }
    return { kind: 'sequence', parts };
  }

  #readRepeated(): PatternNode {
    let part = this.#readAtom();
    for (let bounds = this.#readBounds(); bounds !== undefined; bounds = this.#readBounds()) {
      // A lazy quantifier does not change whether there is a match.
      this.#take('?');
      part = { kind: 'repeat', part, ...bounds };
    }
    return part;
  }

  #readBounds(): Bounds | undefined {
    if (this.#take('*')) return { least: 0, most: undefined };
    if (this.#take('+')) return { least: 1, most: undefined };
    if (this.#take('?')) return { least: 0, most: 1 };
    return this.#peek() === '{' ? this.#readNumbers() : undefined;
  }

  #readNumbers(): Bounds {
    const [whole, least = '', rest, most] =
      /^\{(\d{1,4})(,(\d{1,4})?)?\}/.exec(this.#text.slice(this.#at)) ?? [];
    if (whole === undefined) throw this.#error('has "{" that is not {m}, {m,} or {m,n}');
    const isOpen = rest !== undefined && most === undefined;
    const bounds = { least: Number(least), most: isOpen ? undefined : Number(most ?? least) };
    const highest = bounds.most ?? bounds.least;
    if (highest < bounds.least || highest > MAX_REPEATS) {
      throw this.#error(`has ${whole}; write {m,n} with m up to n, and n up to ${MAX_REPEATS}`);
    }
    this.#at += whole.length;
    return bounds;
  }

  #readAtom(): PatternNode {
    if (this.#take('(')) return this.#readGroup();
    if (this.#take('[')) return this.#readClass();
    if (this.#take('^')) return { kind: 'start' };
    if (this.#take('$')) return { kind: 'end' };
    if (this.#take('.')) return { kind: 'character', codes: codesWhere(() => true) };
    if ('*+?{'.includes(this.#peek()))
      throw this.#error('has a * + ? or { without anything before it to repeat');
    return { kind: 'character', codes: this.#readCharacter() };
  }

  #readGroup(): PatternNode {
    if (this.#take('?') && !this.#take(':')) {
      throw this.#error('has "(?"; only (?:...) is supported');
    }
    const node = this.readChoice();
    if (!this.#take(')')) throw this.#error('has "(" without ")"');
    return node;
  }

  #readClass(): PatternNode {
    const isNegated = this.#take('^');
    const codes = new Set<number>();
    for (let isFirst = true; isFirst || this.#peek() !== ']'; isFirst = false) {
      if (this.#at >= this.#text.length) throw this.#error('has "[" without "]"');
      for (const code of this.#readRange(this.#readCharacter())) codes.add(code);
    }
    this.#at += 1;
    return {
      kind: 'character',
      codes: isNegated ? codesWhere((character) => !codes.has(character.charCodeAt(0))) : codes,
    };
  }

  #readRange(from: ReadonlySet<number>): ReadonlySet<number> {
    const first = this.#text.charCodeAt(this.#at - 1);
    const next = this.#text.charAt(this.#at + 1);
    if (this.#peek() !== '-' || next === ']' || next === '') return from;
    this.#at += 1;
    const to = this.#readCharacter();
    const last = this.#text.charCodeAt(this.#at - 1);
    if (first > last) throw this.#error('has a range that ends before it begins');
    if (Math.max(from.size, to.size) > 2) throw this.#error('has a range from or to a class');
    return codesWhere((character) =>
      [...bothCases(character)].some((code) => code >= first && code <= last),
    );
  }

  #readCharacter(): ReadonlySet<number> {
    const isEscaped = this.#take('\\');
    const character = this.#peek();
    if (character === '') throw this.#error('ends with "\\"');
    if (character.charCodeAt(0) >= ASCII) {
      throw this.#error(
        'contains a character that no name can have; names are compared as A-labels',
      );
    }
    this.#at += 1;
    if (!isEscaped || !/[A-Za-z0-9]/.test(character)) return bothCases(character);
    const form = CLASSES[character];
    if (form !== undefined) return codesWhere((each) => form.test(each));
    throw this.#error(`has "\\${character}", which is not supported`);
  }

  #peek(): string {
    return this.#text.charAt(this.#at);
  }

  #take(character: string): boolean {
    const isThere = this.#peek() === character;
    if (isThere) this.#at += 1;
    return isThere;
  }

  #error(what: string): PatternSyntaxError {
    return new PatternSyntaxError(`${what}, at character ${Math.max(this.#at, 1)}`);
  }
}

function bothCases(character: string): ReadonlySet<number> {
  return new Set([character.toLowerCase().charCodeAt(0), character.toUpperCase().charCodeAt(0)]);
}

function codesWhere(holds: (character: string) => boolean): ReadonlySet<number> {
  return new Set(
    Array.from({ length: ASCII }, (_, code) => code).filter((code) =>
      holds(String.fromCharCode(code)),
    ),
  );
}
