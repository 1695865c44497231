import { type AuthorizedClient, ServiceError } from '@zonewright/service-kit';
import type { Caller } from '@zonewright/zones';
import { askIdentity } from './ask-identity.js';
import { readTokenBody } from './token-body.js';

/** The faults of a TSIG (RFC 8945 s3), as the identity service names them. */
type TsigFaultName = 'FORMERR' | 'BADSIG' | 'BADKEY' | 'BADTIME' | 'BADTRUNC';

/** Who signed a message. */
export type Signer =
  | { readonly fault: TsigFaultName }
  /** No caller: the key is right, and of no use here. */
  | { readonly fault: null; readonly accessKeyId: string; readonly caller: Caller | undefined };

interface SignedMessage {
  readonly message: Uint8Array;
  readonly source: string;
  /** Of the zone that the message is about; undefined: of none that is here. */
  readonly tenantId: string | undefined;
}

/** Asks the identity service about messages that are signed with access keys (RFC 8945): here nobody knows their secrets. */
export class TsigClient {
  readonly #client: AuthorizedClient;
  readonly #serviceTypes: readonly string[];

  constructor(client: AuthorizedClient, serviceTypes: readonly string[]) {
    this.#client = client;
    this.#serviceTypes = serviceTypes;
  }

  /** @throws ServiceError `rate-limited` for a source with too many wrong MACs, `unavailable` */
  async check({ message, source, tenantId }: SignedMessage): Promise<Signer> {
    const body = await this.#post('verify', {
      message: base64(message),
      source,
      ...(tenantId === undefined ? {} : { tenant_id: tenantId }),
    });
    const { fault, access_key_id: accessKeyId, token } = body;
    if (fault !== null) return { fault: fault as TsigFaultName };
    return { fault, accessKeyId: String(accessKeyId), caller: this.#readCaller(token) };
  }

  /** The answer to a message, signed as that is. */
  async sign(request: Uint8Array, answer: Uint8Array, isLate = false): Promise<Uint8Array> {
    const { message } = await this.#post('sign', {
      request: base64(request),
      answer: base64(answer),
      is_late: isLate,
    });
    return Buffer.from(String(message), 'base64');
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

  async #post(operation: string, tsig: object): Promise<Readonly<Record<string, unknown>>> {
    return await askIdentity(this.#client, {
      path: `tsig/${operation}`,
      body: { tsig },
      tooMany: 'Too many wrong MACs.',
      cannot: 'Signatures cannot be checked now; try again.',
    });
  }
}

function base64(octets: Uint8Array): string {
  return Buffer.from(octets).toString('base64');
}
