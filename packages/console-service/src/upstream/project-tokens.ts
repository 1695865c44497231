import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Identity, ProjectAccess } from './identity.js';
import type { Session } from './session-cookie.js';

/** Cache size at about 2 KiB for each token. Further sessions request their tokens again. */
const MAX_HELD = 10_000;

/**
 * Cache with one token for each session and project (v3, method `token`). Two tabs in two projects would otherwise
 * rescope a single token again and again. Tokens are revoked with the session's token, and are cached for at most five
 * minutes, so that new roles take effect.
 */
export class ProjectTokens {
  readonly #identity: Identity;
  readonly #held = new LRUCache<string, Promise<ProjectAccess>>({ max: MAX_HELD, ttl: 300_000 });

  constructor(identity: Identity) {
    this.#identity = identity;
  }

  /** @throws ServiceError */
  async get({ token }: Session, projectId: string): Promise<ProjectAccess> {
    const key = keyOf(token, projectId);
    const held = this.#held.get(key);
    if (held !== undefined) return await held;
    const flight = this.#identity.enterProject(token, projectId);
    this.#held.set(key, flight);
    try {
      return await flight;
    } catch (error) {
      this.#held.delete(key);
      throw error;
    }
  }

  /** Drops a token that a service has rejected. */
  drop({ token }: Session, projectId: string): void {
    this.#held.delete(keyOf(token, projectId));
  }
}

/** Returns a hash, so that a dump of the cache's keys does not reveal the token. */
function keyOf(token: string, projectId: string): string {
  return createHash('sha256').update(token).update('\0').update(projectId).digest('base64');
}
