/** Number of zone serials, which wrap around (RFC 1982 s2). */
const SERIAL_SPACE = 2 ** 32;

/**
 * Returns the serial after a change: the time, or the successor of `current` if that is larger (D-ZONE-34).
 * 4,294,967,295 is followed by 0 or the time. If the time is 2^31 or more ahead of `current`, RFC 1982 considers it
 * older and secondaries would stop updating, so it is not used.
 */
export function nextSerial(current: number, nowSeconds: number): number {
  const successor = (current + 1) % SERIAL_SPACE;
  const now = Math.floor(nowSeconds) % SERIAL_SPACE;
  return now > successor && compareSerials(now, current) > 0 ? now : successor;
}

/**
 * Returns a negative number, 0 or a positive number if `a` is older than, equal to or newer than `b` (RFC 1982 s3.2).
 * RFC 1982 leaves serials exactly 2^31 apart undefined; here neither counts as newer.
 */
export function compareSerials(a: number, b: number): number {
  // Truncating the difference to 32 signed bits gives the distance modulo 2^32.
  return Math.sign((a - b) | 0);
}

/** Maximum TTL in seconds (31 bits, RFC 2181 s8). */
export const MAX_TTL_SECONDS = 2_147_483_647;

const UNIT_SECONDS: ReadonlyMap<string, number> = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3_600],
  ['d', 86_400],
  ['w', 604_800],
]);

/** Reads seconds in a zone file: a plain number, or units as in BIND's `1h30m`. Returns undefined otherwise. */
export function parseSeconds(text: string): number | undefined {
  if (/^\d+$/.test(text)) {
    return Number(text);
  }
  if (!/^\d[\dsmhdw]*[smhdw]$/i.test(text)) {
    return undefined;
  }
  let seconds = 0;
  for (const [, amount, unit] of text.toLowerCase().matchAll(/(\d*)([smhdw])/g)) {
    // Number('') would count two units in a row as an amount of zero.
    seconds += amount === '' ? NaN : Number(amount) * (UNIT_SECONDS.get(unit ?? '') ?? NaN);
  }
  return Number.isNaN(seconds) ? undefined : seconds;
}
