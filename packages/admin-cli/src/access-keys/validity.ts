import { ServiceError } from '@zonewright/service-kit';

const SECOND_MS = 1000;
/** Decisions 2: ten years of 365 days. */
const DEFAULT_VALIDITY_MS = 3650 * 24 * 3600 * SECOND_MS;

/** Until when and from when a key can be used. */
export interface Validity {
  readonly validFrom: Date;
  readonly validTo: Date;
}

/**
 * What is not given: from now, cut to the second, and for 3650 days (decisions 2).
 *
 * @throws ServiceError invalid when the end is not after the beginning
 */
export function chooseValidity(
  given: { readonly [K in keyof Validity]?: Date | undefined },
  nowMs: number,
): Validity {
  const validFrom = given.validFrom ?? new Date(Math.floor(nowMs / SECOND_MS) * SECOND_MS);
  const validTo = given.validTo ?? new Date(validFrom.getTime() + DEFAULT_VALIDITY_MS);
  if (validTo <= validFrom) {
    throw new ServiceError('invalid', 'a key must be valid to a moment after it is valid from');
  }
  return { validFrom, validTo };
}

/** `YYYY-MM-DDThh:mm:ss`, which is UTC, or the same with an offset (RFC 3339). */
const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)?$/;

/**
 * A moment as an operator writes it; without an offset it is UTC, as in the API (decisions 2).
 *
 * @throws ServiceError invalid
 */
export function parseDate(text: string): Date {
  const [, , offset] = DATE.exec(text) ?? [];
  const date = new Date(offset === undefined ? `${text}Z` : text);
  if (!DATE.test(text) || Number.isNaN(date.getTime())) {
    throw new ServiceError(
      'invalid',
      `"${text}" is no date: write YYYY-MM-DDThh:mm:ss, for example 2030-01-31T00:00:00`,
    );
  }
  return date;
}
