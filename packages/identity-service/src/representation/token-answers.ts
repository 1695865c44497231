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

/** How an operation answers about a valid token. */
export interface AnswerForm {
  readonly resource: Resource<Access>;
  readonly headersOf: (
    token: DescribedToken,
    publishedAt: string | undefined,
  ) => Readonly<Record<string, string>>;
}

interface KeptAnswer {
  readonly form: AnswerForm;
  /** Where changes of tokens were published when it was made. */
  readonly publishedAt: string | undefined;
  readonly answer: Reply;
}

type Dependencies = Pick<TokenServices, 'directory' | 'tokenStates'>;

/**
 * What is answered about valid tokens, kept since services ask about the same token for each of their requests. It is kept
 * with the token that the validator hands out, which is the very same for as long as nothing has changed: account, tenant
 * and catalog are announced together, and then there is another one.
 */
export class TokenAnswers {
  readonly #dependencies: Dependencies;
  readonly #answers = new WeakMap<DescribedToken, KeptAnswer>();

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** The answer about a token that was found valid, if it was given before. */
  findKnown(form: AnswerForm, token: DescribedToken): Reply | undefined {
    const kept = this.#answers.get(token);
    const isSame =
      kept?.form === form && kept.publishedAt === this.#dependencies.tokenStates.publishedAt;
    return isSame ? kept.answer : undefined;
  }

  /** The answer about a token that was found valid. */
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

/** An answer then has nothing left to write. Text leaves in one piece with its head; octets would be a second one. XML is rare. */
function keepJson({ toJson, toXml }: Representation): WrittenBody {
  let json: string | Buffer | undefined;
  return { toJson: () => (json ??= toJson()), toXml };
}
