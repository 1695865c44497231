import type { Context } from '../context.js';
import { type Representation, represent, type Resource } from '../representation/resource.js';
import {
  type Access,
  type CatalogFacts,
  compileAccess,
  type DescribedToken,
  findCatalogFacts,
} from './access.js';

interface Entry {
  readonly resource: Resource<Access>;
  token: DescribedToken;
  readonly facts: CatalogFacts;
  readonly body: Representation;
}

/** A few KiB each. */
const MAX_ENTRIES = 5_000;

/**
 * What is answered about valid tokens, kept since services ask about the same token for each of their requests. A
 * body depends on the token, its account, its tenant and the catalog alone, and the directory hands out the very
 * same objects for as long as nothing was announced to have changed: while these are the same, so is the body.
 */
export class TokenBodies {
  readonly #directory: Context['directory'];
  readonly #entries = new Map<string, Entry>();

  constructor(directory: Context['directory']) {
    this.#directory = directory;
  }

  /** The body of an answer about the very same token, found valid again without a change of anything (RecentTokens). */
  findKnown(resource: Resource<Access>, token: DescribedToken): Representation | undefined {
    const known = this.#entries.get(token.claims.jti);
    return known?.token === token && known.resource === resource ? known.body : undefined;
  }

  /** The body of an answer about a token that was just found valid. */
  async represent(resource: Resource<Access>, token: DescribedToken): Promise<Representation> {
    const facts = await findCatalogFacts({ directory: this.#directory }, token.tenant);
    const known = this.#entries.get(token.claims.jti);
    if (known?.resource === resource && isSame(known, token, facts)) {
      known.token = token;
      return known.body;
    }
    const body = writeJsonOnce(represent(resource, compileAccess(token, facts)));
    this.#remember(token.claims.jti, { resource, token, facts, body });
    return body;
  }

  #remember(jti: string, entry: Entry): void {
    this.#entries.delete(jti);
    this.#entries.set(jti, entry);
    if (this.#entries.size <= MAX_ENTRIES) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}

function isSame(known: Entry, token: DescribedToken, facts: CatalogFacts): boolean {
  return (
    known.token.account === token.account &&
    known.token.tenant === token.tenant &&
    known.facts.services === facts.services &&
    known.facts.activatedServiceIds === facts.activatedServiceIds
  );
}

function writeJsonOnce({ toJson, toXml }: Representation): Representation {
  let json: string | undefined;
  return { toJson: () => (json ??= toJson()), toXml };
}
