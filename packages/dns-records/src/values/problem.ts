/**
 * Reason why a value of a request is rejected, as in responses of the DNS API (DNS API s7). `path` names the member,
 * and `validator` the failed check. `message` describes the problem and the remedy.
 */
export interface Problem {
  readonly path: string;
  readonly validator: Validator;
  readonly message: string;
}

/** Names of all checks of this package. They are taken from JSON Schema for checks that it also has. */
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

/** Error of every parser of this package. Its message is one sentence that a user may read. */
export class DnsSyntaxError extends Error {
  override readonly name: string = 'DnsSyntaxError';

  constructor(message: string) {
    // There may be very many of these errors, and their stack is useless: creating it would take longer than reading
    // the text.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Error in the text or wire form of a name (RFC 1035 s2.3.4, s3.1 or s5.1). */
export class NameSyntaxError extends DnsSyntaxError {
  override readonly name = 'NameSyntaxError';
}

/** Error in the text or wire form of rdata. */
export class RdataSyntaxError extends DnsSyntaxError {
  override readonly name = 'RdataSyntaxError';
}

/** Maximum length of a text in a message. The longest name fits, but not a whole request. */
const MAX_SHOWN_CHARACTERS = 255;

/**
 * Returns text for messages as a JSON string, so that blanks and control characters are visible, truncated to a limit.
 */
export function inQuotes(text: string): string {
  const isLong = text.length > MAX_SHOWN_CHARACTERS;
  return JSON.stringify(isLong ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text);
}

/** Whether a text has characters that PostgreSQL cannot store: NUL, or half a surrogate pair. */
export function hasUnstorableCharacter(text: string): boolean {
  return text.includes('\0') || /\p{Surrogate}/u.test(text);
}
