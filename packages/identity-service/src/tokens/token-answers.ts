import type { Context } from '../context.js';
import type { ApiResponse } from '../http/route.js';
import {
  type Representation,
  represent,
  type Resource,
  type WrittenBody,
} from '@zonewright/http-api';
import {
  type Access,
  type CatalogFacts,
  compileAccess,
  type DescribedToken,
  findCatalogFacts,
} from './access.js';

/** How an operation answers about a valid token. */
export interface AnswerForm {
  readonly resource: Resource<Access>;
  readonly headersOf: (
    token: DescribedToken,
    publishedAt: string | undefined,
  ) => Readonly<Record<string, string>>;
}

interface Entry {
  readonly form: AnswerForm;
  token: DescribedToken;
  readonly facts: CatalogFacts;
  /** Where changes of tokens were published when it was made. */
  readonly publishedAt: string | undefined;
  readonly answer: ApiResponse;
}

/** A few KiB each. */
const MAX_ENTRIES = 5_000;

/**
 * What is answered about valid tokens, kept since services ask about the same token for each of their requests. An
 * answer depends on the token, its account, its tenant and the catalog alone, and the directory hands out the very
 * same objects for as long as nothing was announced to have changed: while these are the same, so is the answer.
 */
export class TokenAnswers {
  readonly #directory: Context['directory'];
  readonly #tokenStates: Pick<Context['tokenStates'], 'publishedAt'>;
  readonly #entries = new Map<string, Entry>();

  constructor(
    directory: Context['directory'],
    tokenStates: Pick<Context['tokenStates'], 'publishedAt'>,
  ) {
    this.#directory = directory;
    this.#tokenStates = tokenStates;
  }

  /** The answer about the very same token, found valid again without a change of anything (RecentTokens). */
  findKnown(form: AnswerForm, token: DescribedToken): ApiResponse | undefined {
    const known = this.#entries.get(token.claims.jti);
    const { publishedAt } = this.#tokenStates;
    const isSame =
      known?.token === token && known.form === form && known.publishedAt === publishedAt;
    return isSame ? known.answer : undefined;
  }

  /** The answer about a token that was just found valid. */
  async get(form: AnswerForm, token: DescribedToken): Promise<ApiResponse> {
    const facts = await findCatalogFacts({ directory: this.#directory }, token.tenant);
    const known = this.#entries.get(token.claims.jti);
    const { publishedAt } = this.#tokenStates;
    if (known?.form === form && known.publishedAt === publishedAt && isSame(known, token, facts)) {
      known.token = token;
      return known.answer;
    }
    const body = keepJson(represent(form.resource, compileAccess(token, facts)));
    const answer = { status: 200, headers: form.headersOf(token, publishedAt), body };
    this.#remember(token.claims.jti, { form, token, facts, publishedAt, answer });
    return answer;
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

/** An answer then has nothing left to write or to measure. XML is rare. */
function keepJson({ toJson, toXml }: Representation): WrittenBody {
  let json: Buffer | undefined;
  return { toJson: () => (json ??= Buffer.from(toJson())), toXml };
}
