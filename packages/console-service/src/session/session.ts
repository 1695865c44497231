import type { OpenedSession } from '../upstream/identity.js';

/** Who uses a browser, as its cookie holds it, sealed: nothing of a session is kept here. */
export interface Session extends OpenedSession {
  /** Of the last request that counted, in milliseconds since 1970. */
  readonly activeAt: number;
}
