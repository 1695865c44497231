import {
  type Reply,
  type Representation,
  represent,
  type Resource,
  type WrittenBody,
} from '@zonewright/http-api';
import {
  type Access,
  describeAccess,
  type DescribedToken,
  type TokenServices,
} from '@zonewright/accounts';

/** Format of an operation's response about a valid token. */
export interface AnswerForm {
  readonly resource: Resource<Access>;
  readonly headersOf: (
    token: DescribedToken,
    publishedAt: string | undefined,
  ) => Readonly<Record<string, string>>;
}

interface KeptAnswer {
  readonly form: AnswerForm;
  /** Run of the Redis on which changes of tokens were published when the response was rendered. */
  readonly publishedAt: string | undefined;
  readonly answer: Reply;
}

type Dependencies = Pick<TokenServices, 'directory' | 'tokenStates'>;

/**
 * Cache of responses about valid tokens, since services validate the same token for each of their requests. The
 * response is stored with the object that the validator returns. A change of its account, tenant or catalog is
 * announced, and creates a new object.
 */
export class TokenAnswers {
  readonly #dependencies: Dependencies;
  readonly #answers = new WeakMap<DescribedToken, KeptAnswer>();

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the response about a valid token if it is cached. */
  findKnown(form: AnswerForm, token: DescribedToken): Reply | undefined {
    const kept = this.#answers.get(token);
    const isSame =
      kept?.form === form && kept.publishedAt === this.#dependencies.tokenStates.publishedAt;
    return isSame ? kept.answer : undefined;
  }

  /** Returns the response about a valid token. */
  async get(form: AnswerForm, token: DescribedToken): Promise<Reply> {
    const known = this.findKnown(form, token);
    if (known !== undefined) return known;
    const access = await describeAccess(this.#dependencies, token);
    const { publishedAt } = this.#dependencies.tokenStates;
    const body = keepJson(represent(form.resource, access));
    const answer = { status: 200, headers: form.headersOf(token, publishedAt), body };
    this.#answers.set(token, { form, publishedAt, answer });
    return answer;
  }
}

/**
 * Renders JSON in advance. A text is sent together with its head, while bytes would be a second write. XML is rare, so
 * it is not cached.
 */
function keepJson({ toJson, toXml }: Representation): WrittenBody {
  let json: string | Buffer | undefined;
  return { toJson: () => (json ??= toJson()), toXml };
}
