import { ServiceError } from '@zonewright/service-kit';

/** Long enough for any e-mail address (RFC 5321 s4.5.3.1), short enough for a header. */
const MAX_NAME_LENGTH = 320;
const PRINTABLE = /^\P{Cc}+$/u;

/**
 * A name as it is stored. Names are compared octet by octet, so a stray blank at an end would make a second
 * "alice" that nobody can tell from the first.
 *
 * @throws ServiceError invalid
 */
export function parseName(what: string, text: string): string {
  if (!isPrintable(text)) {
    throw new ServiceError(
      'invalid',
      `${what} must not be empty, begin or end with a blank, or hold control characters`,
    );
  }
  if (!isName(text)) {
    throw new ServiceError('invalid', `${what} may have ${MAX_NAME_LENGTH} characters at most`);
  }
  return text;
}

/** Whether a text may be the name of something. */
export function isName(text: string): boolean {
  return isPrintable(text) && text.length <= MAX_NAME_LENGTH;
}

function isPrintable(text: string): boolean {
  return text === text.trim() && PRINTABLE.test(text);
}
