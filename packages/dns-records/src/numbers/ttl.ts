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
