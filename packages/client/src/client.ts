import type { Answer } from './call/answer.js';
import { type CallOptions, Caller } from './call/caller.js';
import type { Input, OperationId, Output } from './call/operations.js';
import { Transport, type TransportOptions } from './http/transport.js';
import { Domains } from './resources/domains.js';
import { Keys } from './resources/keys.js';
import { Records } from './resources/records.js';
import type { Credentials, Session } from './session/credentials.js';
import { logIn } from './session/log-in.js';
import { SessionHolder } from './session/session-holder.js';

export interface ClientOptions extends TransportOptions {
  /** Of the identity service, without a version. */
  readonly identityUrl: string;
  /** The catalog's unless given: for those who reach it another way. */
  readonly dnsUrl?: string | undefined;
  /** With which to log in, or a session that somebody else has opened. */
  readonly auth: Credentials | Session;
}

/** Everything that a user of the platform can do. */
export class Client {
  readonly domains: Domains;
  readonly keys: Keys;
  /** Without a version. */
  readonly identityUrl: string;
  readonly #caller: Caller;
  readonly #sessions: SessionHolder;

  constructor({ identityUrl, dnsUrl, auth, ...rest }: ClientOptions) {
    const transport = new Transport(rest);
    const identity = (this.identityUrl = withoutVersion(identityUrl));
    this.#sessions = new SessionHolder(() =>
      'token' in auth ? Promise.resolve(auth) : logIn(transport, identity, auth),
    );
    const dns = dnsUrl === undefined ? undefined : withoutVersion(dnsUrl);
    this.#caller = new Caller(transport, { identity, dns }, this.#sessions);
    this.domains = new Domains(this.#caller);
    this.keys = new Keys(this.#caller);
  }

  records(domainId: string): Records {
    return new Records(this.#caller, domainId);
  }

  /** Who it is, in which tenant, with which roles. */
  session(): Promise<Session> {
    return this.#sessions.get();
  }

  /** Any operation, by its operationId. */
  call<Id extends OperationId>(
    id: Id,
    input: Input<Id>,
    options?: CallOptions,
  ): Promise<Answer<Output<Id>>> {
    return this.#caller.call(id, input, options);
  }
}

/** OS_AUTH_URL has one, the address that a person copies may have it. */
function withoutVersion(url: string): string {
  return url.replace(/\/+(v\d[\w.]*\/*)?$/, '');
}
