/** `npm run test:attacks` asks for ten minutes; the usual tests do with the short form, eight seconds. */
const MINUTES = process.env['ZONEWRIGHT_ATTACK_MINUTES'];

export const IS_LONG_ATTACK = MINUTES !== undefined;
export const ATTACK_MS = IS_LONG_ATTACK ? Number(MINUTES) * 60_000 : 8_000;
