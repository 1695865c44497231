const LOCAL = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?$/;
const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/i;
const MILLISECONDS = /^\d{1,15}$/;
/** PostgreSQL and ISO 8601 both hold what four digits of a year hold. */
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * A date as access keys take it (decisions 2): `YYYY-MM-DDThh:mm:ss` in UTC, RFC 3339 with an offset, or
 * milliseconds since the epoch. Undefined for anything else, 30 February included.
 */
export function parseDate(value: unknown): Date | undefined {
  const time = toMilliseconds(value);
  return time === undefined || !(time >= 0 && time <= LATEST) ? undefined : new Date(time);
}

function toMilliseconds(value: unknown): number | undefined {
  if (Number.isSafeInteger(value)) return value as number;
  if (typeof value !== 'string') return undefined;
  if (MILLISECONDS.test(value)) return Number(value);
  if (LOCAL.test(value)) return parseIso(`${value}Z`);
  return RFC_3339.test(value) ? parseIso(value.toUpperCase()) : undefined;
}

function parseIso(text: string): number | undefined {
  const dayOfMonth = Number(text.slice(8, 10));
  // Date.parse takes 30 February for 2 March.
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return day.getUTCDate() === dayOfMonth ? Date.parse(text) : undefined;
}
