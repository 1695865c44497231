/** A response that carries a token must not be kept by anything between (decisions 2, Authenticate). */
export const NO_STORE_HEADERS = {
  'Cache-Control': 'no-store',
  Pragma: 'no-cache',
  Expires: '-1',
} as const;
