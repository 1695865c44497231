import type { Session } from './credentials.js';

/** A token is not used in its last minutes: a call may take some time. */
const RENEW_BEFORE_MS = 5 * 60_000;

/** One session for all calls at the same time; whoever needs one while it is made waits for it. */
export class SessionHolder {
  readonly #open: () => Promise<Session>;
  readonly #now: () => number;
  #session: Session | undefined;
  #flight: Promise<Session> | undefined;

  /** @param open logs in */
  constructor(open: () => Promise<Session>, now: () => number = Date.now) {
    this.#open = open;
    this.#now = now;
  }

  /** @throws the error of the login, to all waiting callers; the next call tries again */
  async get(): Promise<Session> {
    const held = this.#session;
    if (held !== undefined && held.expiresAt - this.#now() > RENEW_BEFORE_MS) return held;
    return await (this.#flight ??= this.#renew());
  }

  /** Drops a session whose token the service rejects: it was revoked, or its key was deleted. */
  drop(session: Session): void {
    if (this.#session === session) this.#session = undefined;
  }

  async #renew(): Promise<Session> {
    try {
      return (this.#session = await this.#open());
    } finally {
      this.#flight = undefined;
    }
  }
}
