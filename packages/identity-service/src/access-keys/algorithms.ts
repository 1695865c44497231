/** Algorithms that a key can be made for (decisions 2, Access keys); imports may name any other. */
export const ALGORITHMS = ['HmacSHA1', 'HmacSHA224', 'HmacSHA256', 'HmacSHA384', 'HmacSHA512'];
export const DEFAULT_ALGORITHM = 'HmacSHA256';

/** Identity s2: bits. */
export const KEY_LENGTH = { minimum: 64, maximum: 512, default: 240 } as const;
