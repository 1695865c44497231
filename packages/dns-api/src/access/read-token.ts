import { ServiceError } from '@zonewright/service-kit';

/** Form of a token in a header that is passed on. Longer than any token of the identity service. */
const TOKEN_FORM = /^[\x21-\x7e]{1,4096}$/;

/** The token of a request's X-Auth-Token (DNS API s5). */
export function readToken(header: string | string[] | undefined): string {
  if (header === undefined || header === '') {
    throw new ServiceError(
      'unauthenticated',
      'The header X-Auth-Token is missing; it carries a token from the identity service.',
    );
  }
  // Node joins repeated headers. The result does not match the form either.
  if (typeof header !== 'string' || !TOKEN_FORM.test(header)) {
    throw new ServiceError('unauthenticated', 'X-Auth-Token does not hold a valid token.');
  }
  return header;
}
