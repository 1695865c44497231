import { ZoneSyntaxError } from './zone-text.js';

/** Word of a zone file, with its escapes. */
export interface Token {
  readonly text: string;
  /** Whether the word was in quotes, which are not part of `text`. */
  readonly quoted: boolean;
}

/** Entry of a zone file (RFC 1035 s5.1): a line, or several lines joined by parentheses. */
export interface Entry {
  /** Line on which the entry begins; the first line is 1. */
  readonly line: number;
  /** Whether the entry begins with a blank, which means the owner name of the previous entry. */
  readonly startsBlank: boolean;
  readonly tokens: readonly Token[];
  /** Text of the last comment, without the semicolon. */
  readonly comment?: string | undefined;
}

const TAB = 0x09;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const OPEN = 0x28;
const CLOSE = 0x29;
const SEMICOLON = 0x3b;
const BACKSLASH = 0x5c;
const BYTE_ORDER_MARK = 0xfeff;

/** Characters that end a word (RFC 1035 s5.1). */
const DELIMITERS = new Set([TAB, NEWLINE, RETURN, SPACE, QUOTE, OPEN, CLOSE, SEMICOLON]);

/** Maximum length of an entry without comments. The longest TXT record with its names is shorter. */
const MAX_ENTRY_CHARACTERS = 300_000;

/** Maximum length of a comment. Longer comments are truncated. */
const MAX_COMMENT_CHARACTERS = 1_000;

/** Reads a zone file character by character. `at` only increases, except in skipToLineAfter. */
export class EntryScanner {
  readonly #text: string;
  #at: number;
  #line: number;
  /** Maximum offset of the entry. */
  #limit = 0;
  /** Offset of the line after the first line of the entry. */
  #secondLineAt = 0;
  /** Line of the open parenthesis, or undefined. */
  #openedOn: number | undefined;
  #tokens: Token[] = [];
  #commentAt: number | undefined;

  constructor(text: string, line = 1) {
    this.#text = text;
    this.#line = line;
    this.#at = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
  }

  get line(): number {
    return this.#line;
  }

  atEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  /** Skips an empty line. Returns whether there was one. */
  skipNewline(): boolean {
    if (this.#text.charCodeAt(this.#at) !== NEWLINE) return false;
    this.#at += 1;
    this.#line += 1;
    return true;
  }

  /** Parses the entry that begins here, including the end of its line. Throws ZoneSyntaxError. */
  readEntry(): Entry {
    const line = this.#line;
    const first = this.#text.charCodeAt(this.#at);
    this.#reset();
    while (!this.atEnd()) {
      this.#refuseLength();
      const code = this.#text.charCodeAt(this.#at);
      if (code !== NEWLINE) {
        this.#readToken(code);
      } else {
        this.#passNewline(line);
        // In parentheses an entry continues over line ends.
        if (this.#openedOn === undefined) break;
      }
    }
    if (this.#openedOn !== undefined) {
      throw this.#openFault('the end of the text', this.#openedOn);
    }
    const startsBlank = first === SPACE || first === TAB;
    return { line, startsBlank, tokens: this.#tokens, comment: this.#readComment() };
  }

  /** Comments before the first word are about the file. */
  #readComment(): string | undefined {
    if (this.#commentAt === undefined || this.#tokens.length === 0) return undefined;
    const start = this.#commentAt + 1;
    return this.#text.slice(start, start + MAX_COMMENT_CHARACTERS).split('\n', 1)[0];
  }

  #reset(): void {
    this.#tokens = [];
    this.#commentAt = undefined;
    this.#openedOn = undefined;
    this.#secondLineAt = this.#text.length;
    this.#limit = this.#at + MAX_ENTRY_CHARACTERS;
  }

  /** Moves to the line after `line`, in which the entry began. */
  skipToLineAfter(line: number): void {
    if (this.#line > line) {
      this.#at = this.#secondLineAt;
    } else {
      this.#skipToNewline();
      this.#at += 1;
    }
    this.#line = line + 1;
  }

  #passNewline(firstLine: number): void {
    this.#at += 1;
    if (this.#line === firstLine) {
      this.#secondLineAt = this.#at;
    }
    this.#line += 1;
  }

  #readToken(code: number): void {
    switch (code) {
      case SPACE:
      case TAB:
      case RETURN:
        this.#at += 1;
        break;
      case SEMICOLON:
        this.#skipComment();
        break;
      case OPEN:
        this.#open();
        break;
      case CLOSE:
        this.#close();
        break;
      case QUOTE:
        this.#readQuoted();
        break;
      default:
        this.#readWord();
    }
  }

  #skipComment(): void {
    const start = this.#at;
    this.#commentAt = start;
    this.#skipToNewline();
    this.#limit += this.#at - start;
  }

  #skipToNewline(): void {
    const newline = this.#text.indexOf('\n', this.#at);
    this.#at = newline === -1 ? this.#text.length : newline;
  }

  #open(): void {
    if (this.#openedOn !== undefined) {
      throw this.#openFault(`another "(" on line ${this.#line}`, this.#openedOn);
    }
    this.#openedOn = this.#line;
    this.#at += 1;
  }

  #close(): void {
    if (this.#openedOn === undefined) {
      throw new ZoneSyntaxError('A ")" has no matching "("; remove it or add the "(".', this.#line);
    }
    this.#openedOn = undefined;
    this.#at += 1;
  }

  #readQuoted(): void {
    const start = this.#at + 1;
    this.#at = start;
    while (this.#text.charCodeAt(this.#at) !== QUOTE) {
      this.#stepInside('A quoted string is not closed on its line; add the closing quote.');
    }
    this.#tokens.push({ text: this.#text.slice(start, this.#at), quoted: true });
    this.#at += 1;
  }

  #readWord(): void {
    const start = this.#at;
    while (!this.atEnd() && !DELIMITERS.has(this.#text.charCodeAt(this.#at))) {
      this.#stepInside('The line ends with a backslash that escapes nothing; remove it.');
    }
    this.#tokens.push({ text: this.#text.slice(start, this.#at), quoted: false });
  }

  /** Skips one character, or a backslash and the character that it escapes, but never a line end. */
  #stepInside(fault: string): void {
    this.#refuseLineEnd(fault);
    this.#refuseLength();
    if (this.#text.charCodeAt(this.#at) === BACKSLASH) {
      this.#at += 1;
      this.#refuseLineEnd(fault);
    }
    this.#at += 1;
  }

  #refuseLineEnd(fault: string): void {
    const code = this.#text.charCodeAt(this.#at);
    if (!this.atEnd() && code !== NEWLINE && code !== RETURN) {
      return;
    }
    // An invalid line after an open parenthesis is read again as a separate entry, and reported then.
    throw this.#openedOn !== undefined && this.#openedOn < this.#line
      ? this.#openFault(`line ${this.#line} is not valid`, this.#openedOn)
      : new ZoneSyntaxError(fault, this.#line);
  }

  #refuseLength(): void {
    if (this.#at <= this.#limit) return;
    const fault = `The entry has more than ${MAX_ENTRY_CHARACTERS} characters; shorten it.`;
    throw new ZoneSyntaxError(fault, this.#openedOn ?? this.#line);
  }

  #openFault(where: string, openedOn: number): ZoneSyntaxError {
    return new ZoneSyntaxError(`A "(" is not closed before ${where}; add the ")".`, openedOn);
  }
}
