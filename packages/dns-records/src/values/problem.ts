/**
 * One reason why a value of a request is refused, as in responses of the DNS API (DNS API s7). `path` names the member, and
 * `validator` the check that failed. `message` says what is wrong and what would be right.
 */
export interface Problem {
  readonly path: string;
  readonly validator: Validator;
  readonly message: string;
}

/** The names of all checks of this package; JSON Schema's names where it has the same check. */
export type Validator =
  | 'required'
  | 'type'
  | 'enum'
  | 'minimum'
  | 'maximum'
  | 'maxLength'
  | 'format'
  | 'absolute'
  | 'label'
  | 'minLabels'
  | 'publicSuffix'
  | 'insideDomain'
  | 'apex'
  | 'disallowed';

/** Error of every parser of this package; its message is one sentence that a user may read. */
export class DnsSyntaxError extends Error {
  override readonly name: string = 'DnsSyntaxError';

  constructor(message: string) {
    // It is about a text, of which there may be very many, and where the program was says nothing: a stack would cost more
    // than reading the text.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** A name whose text or wire form violates RFC 1035 s2.3.4, s3.1 or s5.1. */
export class NameSyntaxError extends DnsSyntaxError {
  override readonly name = 'NameSyntaxError';
}

/** Rdata whose text or wire form does not fit its record type. */
export class RdataSyntaxError extends DnsSyntaxError {
  override readonly name = 'RdataSyntaxError';
}

/** The longest name in full, but never a whole request. */
const MAX_SHOWN_CHARACTERS = 255;

/** Text in messages: a JSON string, so that blanks and control characters are visible, cut to a limit. */
export function inQuotes(text: string): string {
  const isLong = text.length > MAX_SHOWN_CHARACTERS;
  return JSON.stringify(isLong ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text);
}

/** Whether a text has characters that PostgreSQL's text cannot store: NUL, and half a surrogate pair. */
export function hasUnstorableCharacter(text: string): boolean {
  return text.includes('\0') || /\p{Surrogate}/u.test(text);
}
