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
