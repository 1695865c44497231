import type { Answer } from './answer.js';
import type { Caller, CallOptions, Input } from './caller.js';
import type { components } from './generated/identity.js';
import { deleteOnce } from './pages.js';

export type AccessKey = components['schemas']['AccessKey']['accessKey'];
type NewAccessKey = Input<'createAccessKey'>['body']['accessKey'];

/** Operations on the access keys of the caller. */
export class Keys {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  async list(options?: CallOptions): Promise<readonly AccessKey[]> {
    return (await this.#caller.call('listAccessKeys', {}, options)).value.accessKeys.accessKey;
  }

  /**
   * Creates a key. Only this response contains the secret.
   *
   * @throws UnknownOutcomeError if no response arrives: a key whose secret nobody has may exist, and is in the list
   */
  async create(accessKey: NewAccessKey, options?: CallOptions): Promise<AccessKey> {
    const body = { accessKey };
    return (await this.#caller.call('createAccessKey', { body }, options)).value.accessKey;
  }

  delete(accesskeyId: string, options?: CallOptions): Promise<Answer<undefined>> {
    return deleteOnce(this.#caller.call('deleteAccessKey', { path: { accesskeyId } }, options));
  }
}
