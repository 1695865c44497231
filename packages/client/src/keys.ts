import type { Answer } from './answer.js';
import type { Caller, CallOptions, Input } from './caller.js';
import type { components } from './generated/identity.js';
import { deleteOnce } from './pages.js';

export type AccessKey = components['schemas']['AccessKey']['accessKey'];
type NewAccessKey = Input<'createAccessKey'>['body']['accessKey'];

/** The access keys of whoever asks. */
export class Keys {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  async list(options?: CallOptions): Promise<readonly AccessKey[]> {
    return (await this.#caller.call('listAccessKeys', {}, options)).value.accessKeys.accessKey;
  }

  /**
   * The answer alone has the secret. @throws UnknownOutcomeError when none came: there may be a key whose secret nobody has,
   * and the list shows it
   */
  async create(accessKey: NewAccessKey, options?: CallOptions): Promise<AccessKey> {
    const body = { accessKey };
    return (await this.#caller.call('createAccessKey', { body }, options)).value.accessKey;
  }

  delete(accesskeyId: string, options?: CallOptions): Promise<Answer<undefined>> {
    return deleteOnce(this.#caller.call('deleteAccessKey', { path: { accesskeyId } }, options));
  }
}
