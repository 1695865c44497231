const ONE_YEAR_SECONDS = 31_536_000;

/**
 * What every answer of an API says to browsers and caches, as a flat list of names and values: take the Content-Type
 * as it is, keep no copy (answers depend on X-Auth-Token, which caches know nothing of: RFC 9111 s3.5), and over
 * TLS come by TLS again (RFC 6797).
 */
export function securityHeaders(isTls: boolean): readonly string[] {
  const always = ['X-Content-Type-Options', 'nosniff', 'Cache-Control', 'no-store'];
  return isTls ? [...always, 'Strict-Transport-Security', `max-age=${ONE_YEAR_SECONDS}`] : always;
}

/** For the few answers that are HTML: nothing is loaded, run or framed. */
export const HTML_SECURITY_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
} as const;
