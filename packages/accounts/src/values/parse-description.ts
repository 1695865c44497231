import { ServiceError } from '@zonewright/service-kit';

/** A list of many things shows all of theirs. */
const MAX_DESCRIPTION_LENGTH = 1_000;

/** @throws ServiceError invalid */
export function parseDescription(text: string | null): string | null {
  if (text === null || text.length <= MAX_DESCRIPTION_LENGTH) return text;
  throw new ServiceError(
    'invalid',
    `a description may have ${MAX_DESCRIPTION_LENGTH} characters at most`,
  );
}
