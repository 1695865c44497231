/** Set by `npm run test:attacks`, which runs for ten minutes. Otherwise tests use the short form of eight seconds. */
const MINUTES = process.env['ZONEWRIGHT_ATTACK_MINUTES'];

export const IS_LONG_ATTACK = MINUTES !== undefined;
export const ATTACK_MS = IS_LONG_ATTACK ? Number(MINUTES) * 60_000 : 8_000;
