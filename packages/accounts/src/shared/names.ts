import { randomBytes } from 'node:crypto';
import { ServiceError } from '@zonewright/service-kit';

const ID_BYTES = 16;
/**
 * Format of an id: 1 to 64 characters (decisions 2). Blanks and control characters would not survive a header or a
 * path.
 */
const OPAQUE_ID = /^[^\s\p{Cc}]{1,64}$/u;

/**
 * Returns the id of a new object: the given one, so that accounts of another system keep theirs, or 32 random
 * hexadecimal digits (D-ID).
 *
 * @throws ServiceError invalid
 */
export function chooseId(given: string | undefined): string {
  if (given === undefined) return randomBytes(ID_BYTES).toString('hex');
  if (!isId(given)) {
    throw new ServiceError('invalid', 'an id must have 1 to 64 characters without blanks');
  }
  return given;
}

export function isId(text: string): boolean {
  return OPAQUE_ID.test(text);
}

/** Maximum length of a name: any email address (RFC 5321 s4.5.3.1) fits, and the name fits into a header. */
const MAX_NAME_LENGTH = 320;
const PRINTABLE = /^\P{Cc}+$/u;

/**
 * Checks a name. Names are compared byte by byte, so "alice" with a trailing blank would be a second user that looks
 * like the first.
 *
 * @throws ServiceError invalid
 */
export function parseName(what: string, text: string): string {
  if (!isPrintable(text)) {
    throw new ServiceError(
      'invalid',
      `${what} must not be empty, begin or end with a blank, or contain control characters`,
    );
  }
  if (!isName(text)) {
    throw new ServiceError('invalid', `${what} must have at most ${MAX_NAME_LENGTH} characters`);
  }
  return text;
}

export function isName(text: string): boolean {
  return isPrintable(text) && text.length <= MAX_NAME_LENGTH;
}

function isPrintable(text: string): boolean {
  return text === text.trim() && PRINTABLE.test(text);
}

/** Maximum length of a description, since lists contain all descriptions. */
const MAX_DESCRIPTION_LENGTH = 1_000;

/** @throws ServiceError invalid */
export function parseDescription(text: string | null): string | null {
  if (text === null || text.length <= MAX_DESCRIPTION_LENGTH) return text;
  throw new ServiceError(
    'invalid',
    `a description must have at most ${MAX_DESCRIPTION_LENGTH} characters`,
  );
}

/** Filter for names: one name, or LIKE patterns that must all match. */
export interface NameFilter {
  readonly name: string | undefined;
  readonly like: readonly string[];
  /** Case-insensitive patterns. */
  readonly ilike: readonly string[];
}

/** Returns the condition for a column, and its bindings. */
export function nameCondition(
  column: string,
  { name, like, ilike }: NameFilter,
): { readonly sql: string; readonly bindings: readonly string[] } {
  const wanted: [string, readonly string[]][] = [
    ['=', name === undefined ? [] : [name]],
    ['like', like],
    ['ilike', ilike],
  ];
  return {
    sql: wanted
      .flatMap(([operator, texts]) => texts.map(() => ` and ${column} ${operator} ?`))
      .join(''),
    bindings: wanted.flatMap(([, texts]) => texts),
  };
}
