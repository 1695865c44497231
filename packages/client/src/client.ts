import type { Answer } from './answer.js';
import { Caller, type CallOptions, type Input, type OperationId, type Output } from './caller.js';
import { Transport, type TransportOptions } from './transport.js';
import { type DnsEvent, listenToEvents } from './events.js';
import { Domains } from './domains.js';
import { Keys } from './keys.js';
import { findRecords, type FoundRecord, Records, type SearchRequest } from './records.js';
import { type Credentials, logIn, type Session, SessionHolder } from './session.js';

export interface ClientOptions extends TransportOptions {
  /** Base URL of the identity service, without a version. */
  readonly identityUrl: string;
  /** Base URL of the DNS API, for clients that reach it at another URL. The default is the URL in the catalog. */
  readonly dnsUrl?: string | undefined;
  /**
   * Credentials, an open session, or a function that opens a session. The function is called again when the session is
   * rejected.
   */
  readonly auth: Credentials | Session | (() => Promise<Session>);
}

/** Client for all operations of a user. */
export class Client {
  readonly domains: Domains;
  readonly keys: Keys;
  /** URL without a version. */
  readonly identityUrl: string;
  readonly #caller: Caller;
  readonly #sessions: SessionHolder;

  constructor({ identityUrl, dnsUrl, auth, ...rest }: ClientOptions) {
    const transport = new Transport(rest);
    const identity = (this.identityUrl = withoutVersion(identityUrl));
    const open = (): Promise<Session> => {
      if (typeof auth === 'function') return auth();
      return 'token' in auth ? Promise.resolve(auth) : logIn(transport, identity, auth);
    };
    this.#sessions = new SessionHolder(open);
    const dns = dnsUrl === undefined ? undefined : withoutVersion(dnsUrl);
    this.#caller = new Caller(transport, { identity, dns }, this.#sessions);
    this.domains = new Domains(this.#caller);
    this.keys = new Keys(this.#caller);
  }

  records(domainId: string): Records {
    return new Records(this.#caller, domainId);
  }

  /**
   * Yields events of the tenant's domains from now on, and reconnects if necessary. The first event is `listening`: a
   * reader who then reads the data misses nothing. On `gap`, events were lost, and the data must be read again.
   */
  events(
    options: { readonly signal?: AbortSignal } = {},
  ): AsyncGenerator<DnsEvent, void, undefined> {
    return listenToEvents(this.#caller, options.signal);
  }

  /** Yields records of all domains with a text in their name, data or description, or with a tag. */
  findRecords(
    wanted: SearchRequest,
    options: CallOptions = {},
  ): AsyncGenerator<FoundRecord, void, undefined> {
    return findRecords(this.#caller, wanted, options);
  }

  /** Returns user, tenant and roles of the session. */
  session(): Promise<Session> {
    return this.#sessions.get();
  }

  /** Calls any operation by its operationId. */
  call<Id extends OperationId>(
    id: Id,
    input: Input<Id>,
    options?: CallOptions,
  ): Promise<Answer<Output<Id>>> {
    return this.#caller.call(id, input, options);
  }
}

/** Removes the version, which is part of OS_AUTH_URL and of some copied URLs. */
function withoutVersion(url: string): string {
  return url.replace(/\/+(v\d[\w.]*\/*)?$/, '');
}
