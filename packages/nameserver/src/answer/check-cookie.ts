import { CLIENT_COOKIE_OCTETS } from '../wire/edns.js';
import type { QueryContext } from './query-context.js';
import { SERVER_COOKIE_OCTETS } from './server-cookies.js';

/**
 * Notes whether the client has shown a server cookie of ours. One that is wrong or too old is answered like none, with a
 * new one (RFC 7873 s5.2.3, s5.2.4): this server asks for cookies of nobody.
 */
export function checkCookie(context: QueryContext): void {
  const { edns, input, cookies } = context;
  if (edns.cookieStart === -1 || edns.isMalformed) return;
  cookies.setClient(input, edns.cookieStart, context.sourceAddress);
  if (edns.cookieLength !== CLIENT_COOKIE_OCTETS + SERVER_COOKIE_OCTETS) return;
  const serverCookie = edns.cookieStart + CLIENT_COOKIE_OCTETS;
  context.hasValidCookie = cookies.isValid(input, serverCookie, context.clockSeconds);
}
