import type { OpenedSession } from '../upstream/identity.js';

/** Session of a browser. It is stored in its cookie, sealed, and not in this service. */
export interface Session extends OpenedSession {
  /** Time of the last request that counted, in milliseconds since 1970. */
  readonly activeAt: number;
}
