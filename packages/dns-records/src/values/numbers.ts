/** Zone serials are 32-bit numbers in a circle (RFC 1982 s2). */
const SERIAL_SPACE = 2 ** 32;

/**
 * The serial after a change: the time, or one more than `current` if that is larger (D-ZONE-34). After 4,294,967,295 follows
 * 0 or the time. If the time is 2^31 or more ahead of `current`, RFC 1982 considers it older and secondaries would stop
 * following, so it is not used.
 */
export function nextSerial(current: number, nowSeconds: number): number {
  const successor = (current + 1) % SERIAL_SPACE;
  const now = Math.floor(nowSeconds) % SERIAL_SPACE;
  return now > successor && compareSerials(now, current) > 0 ? now : successor;
}

/**
 * Below 0, 0 or above 0 if `a` is older than, equal to or newer than `b` (RFC 1982 s3.2). RFC 1982 leaves serials
 * exactly 2^31 apart undefined; here neither counts as newer.
 */
export function compareSerials(a: number, b: number): number {
  // Forty-odd bits of difference cut to 32 signed ones are the way round the circle.
  return Math.sign((a - b) | 0);
}

/** The largest TTL (RFC 2181 s8: 31 bits), in seconds. */
export const MAX_TTL_SECONDS = 2_147_483_647;

const UNIT_SECONDS: ReadonlyMap<string, number> = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3_600],
  ['d', 86_400],
  ['w', 604_800],
]);

/** Seconds from zone-file text: plain, or with units as in BIND's `1h30m`; otherwise undefined. */
export function parseSeconds(text: string): number | undefined {
  if (/^\d+$/.test(text)) {
    return Number(text);
  }
  if (!/^\d[\dsmhdw]*[smhdw]$/i.test(text)) {
    return undefined;
  }
  let seconds = 0;
  for (const [, amount, unit] of text.toLowerCase().matchAll(/(\d*)([smhdw])/g)) {
    // Two units in a row have no amount between them: Number('') would count them as zero.
    seconds += amount === '' ? NaN : Number(amount) * (UNIT_SECONDS.get(unit ?? '') ?? NaN);
  }
  return Number.isNaN(seconds) ? undefined : seconds;
}
