/** Longest wait. Larger values are reduced to it. */
const MAX_WAIT_SECONDS = 10;

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const QUOTED = '"(?:[^"\\\\]|\\\\.)*"';
/** Element between commas outside of quoted strings. An unterminated string reaches to the end. */
const ELEMENT = /(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g;
/** A preference with its value; its parameters say nothing here. */
const PREFERENCE = new RegExp(`^\\s*(${TOKEN})\\s*=\\s*(${TOKEN}|${QUOTED})\\s*(?:;.*)?$`, 's');

/**
 * Returns the longest wait of a client in milliseconds (RFC 7240 s2, s4.3: `Prefer: wait=5`). Undefined if the header has none. The first
 * `wait` counts. Unknown preferences are ignored, as the RFC requires.
 */
export function readPreferredWaitMs(header: string | undefined): number | undefined {
  for (const element of header?.match(ELEMENT) ?? []) {
    if (!/^\s*wait\s*(?:[=;]|$)/i.test(element)) continue;
    const value = PREFERENCE.exec(element)?.[2]?.replaceAll(/^"|"$/g, '') ?? '';
    const seconds = /^\d{1,16}$/.test(value) ? Number(value) : 0;
    return seconds === 0 ? undefined : Math.min(seconds, MAX_WAIT_SECONDS) * 1_000;
  }
  return undefined;
}
