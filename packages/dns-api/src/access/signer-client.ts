import { HttpJsonClient, ServiceError, Batcher, type Tracing } from '@zonewright/service-kit';
import {
  octetsToSign,
  type RrsetToSign,
  type SignedZone,
  type ZoneSigner,
} from '@zonewright/zones';

interface SignerClientOptions {
  readonly url: string;
  readonly secret: string;
  readonly tracing: Tracing | undefined;
}

/** The time limit of a request, because thousands of signatures take some hundred milliseconds. */
const TIMEOUT_MS = 5_000;
/** A request with more records than this is sent alone, so that no other request waits for it. */
const FEW_ITEMS = 32;
/** The number of requests that one message can contain, and the size of their rdata in bytes. */
const MOST_TOGETHER = 64;
const MOST_OCTETS = 1_048_576;
const MESSAGES_AT_ONCE = 2;

interface Question {
  readonly zone: SignedZone;
  readonly items: readonly RrsetToSign[];
}

/**
 * Sends requests to the signer, which alone has the zones' private keys. Requests that arrive while others are in
 * progress share a call, and their tenants take turns.
 */
export class SignerClient implements ZoneSigner {
  readonly #client: HttpJsonClient;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #together = new Batcher<Question, Answer>((questions) => this.#askTogether(questions), {
    atOnce: MESSAGES_AT_ONCE,
    most: MOST_TOGETHER,
    mostOctets: MOST_OCTETS,
    octetsOf: ({ items }) => items.reduce((sum, item) => sum + octetsToSign(item), 0),
    ownerOf: ({ zone }) => zone.tenantId,
  });

  constructor({ url, secret, tracing }: SignerClientOptions) {
    this.#client = new HttpJsonClient({ baseUrl: url, serverName: 'signer', tracing });
    this.#headers = { authorization: `Bearer ${secret}` };
  }

  async sign(zone: SignedZone, items: readonly RrsetToSign[]): Promise<Uint8Array[][]> {
    const question = { zone, items };
    const answer =
      items.length > FEW_ITEMS ? await this.#askAlone(question) : await this.#together.do(question);
    const { signatures } = answer;
    if (!isListOfLists(signatures)) throw refused(answer);
    return signatures.map((each) => each.map((rdata) => Buffer.from(rdata, 'base64')));
  }

  close(): void {
    this.#client.close();
  }

  async #askTogether(questions: readonly [Question, ...Question[]]): Promise<readonly Answer[]> {
    const { status, body } = await this.#call({ requests: questions.map(renderQuestion) });
    const { answers } = (body ?? {}) as { answers?: unknown };
    if (status === 200 && Array.isArray(answers) && answers.length === questions.length) {
      return answers as Answer[];
    }
    throw refused({ status, ...(body as object) });
  }

  async #askAlone(question: Question): Promise<Answer> {
    const { status, body } = await this.#call(renderQuestion(question));
    return { status, ...(body as object) };
  }

  async #call(body: object) {
    return await this.#client.call({
      method: 'POST',
      path: 'sign',
      headers: this.#headers,
      body,
      timeoutMs: TIMEOUT_MS,
    });
  }
}

/** Contains `signatures`, or the reason why there are none. */
type Answer = Readonly<Record<string, unknown>>;

function refused(answer: Answer): ServiceError {
  return new ServiceError('unavailable', 'The signer refused to sign this; try again.', {
    cause: new Error(`signer: ${JSON.stringify(answer).slice(0, 300)}`),
  });
}

/** The signer that is used if SIGNER_URL is not set. */
export const NO_SIGNER: ZoneSigner = {
  sign: () =>
    Promise.reject(
      new ServiceError(
        'unavailable',
        'The zone is signed, but this service has no signer; the operator must set SIGNER_URL.',
      ),
    ),
};

function renderQuestion({ zone: { id, keyVersion }, items }: Question) {
  return { zoneId: id, keys: keyVersion, items: items.map(renderItem) };
}

function renderItem({ owner, rrset: { type, ttl, rdatas } }: RrsetToSign) {
  const toText = (octets: Uint8Array) => Buffer.from(octets).toString('base64');
  return { owner: toText(owner), type, ttl, rdatas: rdatas.map(toText) };
}

function isListOfLists(value: unknown): value is string[][] {
  return (
    Array.isArray(value) &&
    value.every(
      (each) => Array.isArray(each) && each.every((rdata: unknown) => typeof rdata === 'string'),
    )
  );
}
