const DECIMAL_ESCAPE = /(\d{3})/y;

/** Whether a character code is an ASCII digit; false for NaN, the code past a text's end. */
export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** The octet that the three digits of `\DDD` represent (RFC 1035 s5.1); the first digit is at `at`. */
export function readDecimalEscape(text: string, at: number): number | undefined {
  DECIMAL_ESCAPE.lastIndex = at;
  const digits = DECIMAL_ESCAPE.exec(text)?.[1];
  return digits === undefined || Number(digits) > 0xff ? undefined : Number(digits);
}
