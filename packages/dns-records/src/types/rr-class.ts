/** Classes and query classes by mnemonic (RFC 1035 s3.2.4 and s3.2.5, RFC 2136 s1.3 for NONE). */
export const RR_CLASS = { IN: 1, CS: 2, CH: 3, HS: 4, NONE: 254, ANY: 255 } as const;

const NUMBER_BY_MNEMONIC: ReadonlyMap<string, number> = new Map(Object.entries(RR_CLASS));

/** The number of a class mnemonic in any letter case, or of `CLASS1` (RFC 3597 s5). */
export function classNumber(text: string): number | undefined {
  const mnemonic = text.toUpperCase();
  const digits = /^CLASS(\d{1,5})$/.exec(mnemonic)?.[1];
  return digits === undefined ? NUMBER_BY_MNEMONIC.get(mnemonic) : Number(digits);
}
