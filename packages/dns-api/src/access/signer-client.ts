import { HttpJsonClient, ServiceError, type Tracing } from '@zonewright/service-kit';
import type { RrsetToSign, ZoneSigner } from '@zonewright/zones';

interface SignerClientOptions {
  readonly url: string;
  readonly secret: string;
  readonly tracing: Tracing | undefined;
}

/** Thousands of signatures take some hundred milliseconds. */
const TIMEOUT_MS = 5_000;

/** Asks the signer, who alone has the keys of zones. */
export class SignerClient implements ZoneSigner {
  readonly #client: HttpJsonClient;
  readonly #headers: Readonly<Record<string, string>>;

  constructor({ url, secret, tracing }: SignerClientOptions) {
    this.#client = new HttpJsonClient({ baseUrl: url, serverName: 'signer', tracing });
    this.#headers = { authorization: `Bearer ${secret}` };
  }

  async sign(zoneId: string, items: readonly RrsetToSign[]): Promise<Uint8Array[][]> {
    const { status, body } = await this.#client.call({
      method: 'POST',
      path: 'sign',
      headers: this.#headers,
      body: { zoneId, items: items.map(renderItem) },
      timeoutMs: TIMEOUT_MS,
    });
    const { signatures } = (body ?? {}) as { signatures?: unknown };
    if (status !== 200 || !isListOfLists(signatures)) {
      throw new ServiceError('unavailable', 'The signer refuses to sign this now; try again.', {
        cause: new Error(`signer: ${status} ${JSON.stringify(body).slice(0, 300)}`),
      });
    }
    return signatures.map((each) => each.map((rdata) => Buffer.from(rdata, 'base64')));
  }

  close(): void {
    this.#client.close();
  }
}

/** Of an installation that signs nothing. */
export const NO_SIGNER: ZoneSigner = {
  sign: () =>
    Promise.reject(
      new ServiceError('unavailable', 'The zone is signed, and this service has no SIGNER_URL.'),
    ),
};

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
