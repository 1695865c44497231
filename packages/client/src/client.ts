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
  /** Default: the URL in the catalog. For clients that reach the service at another URL. */
  readonly dnsUrl?: string | undefined;
  /** Credentials, an open session, or a function that opens a session; it is called again when the session is rejected. */
  readonly auth: Credentials | Session | (() => Promise<Session>);
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
   * Events of the tenant's domains from now on, across lost connections. The first event is `listening`: data that is read after it
   * misses nothing. On `gap`, events were lost, and the data must be read again.
   */
  events(
    options: { readonly signal?: AbortSignal } = {},
  ): AsyncGenerator<DnsEvent, void, undefined> {
    return listenToEvents(this.#caller, options.signal);
  }

  /** Records of all domains with a text in their name, data or description, or with a tag. */
  findRecords(
    wanted: SearchRequest,
    options: CallOptions = {},
  ): AsyncGenerator<FoundRecord, void, undefined> {
    return findRecords(this.#caller, wanted, options);
  }

  /** User, tenant and roles of the session. */
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
