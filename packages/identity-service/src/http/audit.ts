import type { Operation } from '@zonewright/http-api';

/** What is known of a change or a log-in: names and ids, never a secret. */
export interface AuditFacts {
  /** How somebody authenticated: password, accessKey, token. */
  readonly method?: string;
  /** The account as it was named: `name ada`, `id 1f2e`, `key ABCD`. Known before it is known whether it exists. */
  readonly account?: string;
  /** Who did it. */
  readonly userId?: string;
  readonly tenantId?: string | undefined;
  /** What it was done to. */
  readonly accessKeyId?: string | undefined;
  readonly ownerId?: string;
  /** What was made or changed by an administrator. */
  readonly id?: string;
  /** Names of the members that were given. */
  readonly changed?: readonly string[];
  readonly grantedTo?: string | undefined;
  readonly roleId?: string | undefined;
  /** The tenant or account domain on which a role is held. */
  readonly grantedOn?: string | undefined;
  /** The name of the token (jti), from which it cannot be made. */
  readonly jti?: string;
}

/** Gathers the facts about one request while it is worked on. */
export class AuditTrail {
  readonly #facts: Record<string, unknown>;

  constructor(facts: Record<string, unknown>) {
    this.#facts = facts;
  }

  note(facts: AuditFacts): void {
    Object.assign(this.#facts, facts);
  }
}

/** Changes and log-ins are audited; so is Legacy Authentication, a log-in by GET. */
export function isAudited(route: Operation & { readonly isLogin?: true }): boolean {
  return (route.method !== 'GET' && route.method !== 'HEAD') || route.isLogin === true;
}
