import { randomBytes } from 'node:crypto';
import { ServiceError } from '@zonewright/service-kit';

const ID_BYTES = 16;
/** Decisions 2: 1-64 characters. Blanks and control characters would not survive a header or a path. */
const OPAQUE_ID = /^[^\s\p{Cc}]{1,64}$/u;

/**
 * The id of something new: the given one, so that accounts can move in from another system unchanged, or
 * 32 random hexadecimal digits (decisions 2).
 *
 * @throws ServiceError invalid
 */
export function chooseId(given: string | undefined): string {
  if (given === undefined) return randomBytes(ID_BYTES).toString('hex');
  if (!isId(given)) {
    throw new ServiceError('invalid', 'an id has 1 to 64 characters, none of them a blank');
  }
  return given;
}

/** Whether a text may be the id of something. */
export function isId(text: string): boolean {
  return OPAQUE_ID.test(text);
}
