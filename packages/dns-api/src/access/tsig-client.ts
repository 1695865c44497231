import {
  type AuthorizedClient,
  Batcher,
  ServiceError,
  sourceNetwork,
} from '@zonewright/service-kit';
import type { Caller } from '@zonewright/zones';
import { callIdentity } from './identity-client.js';
import { readTokenBody } from './token-validator.js';

const TOO_MANY = 'Too many wrong MACs; try again later.';
const CANNOT = 'Signatures cannot be checked at the moment; try again.';

/** The result for one message. `token` is its index among the tokens of the signers. */
interface Exchanged {
  readonly fault?: string | null;
  readonly access_key_id?: string;
  readonly token?: number | null;
  readonly caller: Caller | undefined;
  readonly answer?: string;
  readonly too_many?: boolean;
}

/** The faults of a TSIG record (RFC 8945, section 3), as the identity service names them. */
type TsigFaultName = 'FORMERR' | 'BADSIG' | 'BADKEY' | 'BADTIME' | 'BADTRUNC';

/** The signer of a message. */
export type Signer =
  | { readonly fault: TsigFaultName }
  | {
      readonly fault: null;
      readonly accessKeyId: string;
      /** Undefined if the key is valid but not usable here. */
      readonly caller: Caller | undefined;
      /** The response, signed like the message. */
      readonly answer: Uint8Array;
    };

interface SignedMessage {
  readonly message: Uint8Array;
  readonly source: string;
  /** The tenant of the zone in the message. Undefined if the zone is not hosted here. */
  readonly tenantId: string | undefined;
  /** The response on success. It is sent only then. */
  readonly answer: Uint8Array;
}

/**
 * Limits of concurrent calls to the identity service, and of messages in one call, far below the size that the service
 * accepts.
 */
const TOGETHER = { atOnce: 2, most: 32 };
/** A longer message is sent alone. */
const MAX_OCTETS_TOGETHER = 2_048;
/** Time limit for the messages of a transfer, which may have 3,000,000 octets. */
const TRANSFER_TIMEOUT_MS = 8_000;

/**
 * Asks the identity service about messages that are signed with access keys (RFC 8945), because this service does not
 * know the secrets.
 */
export class TsigClient {
  readonly #client: AuthorizedClient;
  readonly #serviceTypes: readonly string[];
  readonly #together = new Batcher(
    (messages: readonly SignedMessage[]) => this.#exchange(messages),
    { ...TOGETHER, ownerOf },
  );

  constructor(client: AuthorizedClient, serviceTypes: readonly string[]) {
    this.#client = client;
    this.#serviceTypes = serviceTypes;
  }

  /** @throws ServiceError `rate-limited` for a source with too many wrong MACs, `unavailable` */
  async check(signed: SignedMessage): Promise<Signer> {
    const isShort = signed.message.length + signed.answer.length <= MAX_OCTETS_TOGETHER;
    const result = isShort ? await this.#together.do(signed) : (await this.#exchange([signed]))[0];
    if (result === undefined) throw new ServiceError('unavailable', CANNOT);
    const { fault, access_key_id: accessKeyId, caller, answer, too_many: isTooMuch } = result;
    if (isTooMuch === true) throw new ServiceError('rate-limited', TOO_MANY);
    if (fault !== null) return { fault: fault as TsigFaultName };
    return {
      fault,
      accessKeyId: String(accessKeyId),
      caller,
      answer: Buffer.from(String(answer), 'base64'),
    };
  }

  async #exchange(messages: readonly SignedMessage[]): Promise<readonly Exchanged[]> {
    const requests = messages.map(({ message, source, tenantId, answer }) => ({
      message: base64(message),
      source,
      answer: base64(answer),
      ...(tenantId === undefined ? {} : { tenant_id: tenantId }),
    }));
    const answered = await this.#post('exchange', { requests });
    const { results, tokens } = answered as { results: readonly Exchanged[]; tokens: unknown[] };
    const callers = tokens.map((token) => this.#readCaller(token));
    return results.map((result) => ({ ...result, caller: callers[result.token ?? -1] }));
  }

  /** Signs the answer to a message in the same way as the message. */
  async sign(request: Uint8Array, answer: Uint8Array, isLate = false): Promise<Uint8Array> {
    const { message } = await this.#post('sign', {
      request: base64(request),
      answer: base64(answer),
      is_late: isLate,
    });
    return Buffer.from(String(message), 'base64');
  }

  /** Returns the TSIG records of the messages of a zone transfer (RFC 8945 s5.3.1). */
  async signTransfer(
    request: Uint8Array,
    messages: readonly Uint8Array[],
  ): Promise<readonly Uint8Array[]> {
    const { records } = await this.#post(
      'sign-transfer',
      {
        request: base64(request),
        answers: messages.map((message) => ({ message: base64(message) })),
      },
      TRANSFER_TIMEOUT_MS,
    );
    return (records as { readonly tsig: string }[]).map(({ tsig }) => Buffer.from(tsig, 'base64'));
  }

  #readCaller(token: unknown): Caller | undefined {
    if (token === null) return undefined;
    try {
      return readTokenBody({ token }, this.#serviceTypes).caller;
    } catch (error) {
      if (error instanceof ServiceError && error.kind === 'unauthenticated') return undefined;
      throw error;
    }
  }

  async #post(
    operation: string,
    tsig: object,
    timeoutMs?: number,
  ): Promise<Readonly<Record<string, unknown>>> {
    return await callIdentity(this.#client, {
      path: `tsig/${operation}`,
      body: { tsig },
      timeoutMs,
      tooMany: TOO_MANY,
      cannot: CANNOT,
    });
  }
}

/** Senders and tenants take turns: a network that floods one zone delays its own messages. */
function ownerOf({ source, tenantId = '' }: SignedMessage): string {
  return `${sourceNetwork(source)} ${tenantId}`;
}

function base64(octets: Uint8Array): string {
  return Buffer.from(octets).toString('base64');
}
