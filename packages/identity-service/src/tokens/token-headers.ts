/**
 * A response that carries a token must not be kept by anything between (decisions 2, Authenticate). Every answer has
 * `Cache-Control: no-store`; these say it to caches that know HTTP/1.0 alone.
 */
export const NO_STORE_HEADERS = { Pragma: 'no-cache', Expires: '-1' } as const;

/** What such an answer has, for its description. */
export const NO_STORE_NAMES = ['Cache-Control', ...Object.keys(NO_STORE_HEADERS)];
