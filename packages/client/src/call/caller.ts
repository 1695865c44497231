import { OPERATIONS } from '../generated/operations.js';
import { ApiError, UsageError } from '../http/errors.js';
import { IDEMPOTENCY_KEY, readJson, type Transport, type WireCall } from '../http/transport.js';
import type { Session } from '../session/credentials.js';
import type { SessionHolder } from '../session/session-holder.js';
import { type Answer, readAnswer } from './answer.js';
import type { Input, OperationId, Output } from './operations.js';

/** What every call takes beside its input. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Of a write: what would be answered, and nothing is done. */
  readonly dryRun?: boolean | undefined;
  /** Of a write: seconds, 10 at most, to wait until the nameservers answer with it. */
  readonly wait?: number | undefined;
  /** Of a write: the tag that what is changed must still have. */
  readonly ifMatch?: string | undefined;
  /** Of a write: why it is done, for the history: a line of 255 octets of UTF-8 at most. */
  readonly note?: string | undefined;
  /** Of a POST that makes something: it is done once, however often it is sent. Made for each call unless given. */
  readonly idempotencyKey?: string | undefined;
}

/** Calls operations by their ids, as whoever the session is of. */
export class Caller {
  readonly #transport: Transport;
  readonly #identityUrl: string;
  readonly #dnsUrl: string | undefined;
  readonly #sessions: SessionHolder;

  constructor(
    transport: Transport,
    urls: { readonly identity: string; readonly dns: string | undefined },
    sessions: SessionHolder,
  ) {
    this.#transport = transport;
    this.#identityUrl = urls.identity;
    this.#dnsUrl = urls.dns;
    this.#sessions = sessions;
  }

  /** @throws ZonewrightError, or the reason of the signal */
  async call<Id extends OperationId>(
    id: Id,
    input: Input<Id>,
    options: CallOptions = {},
  ): Promise<Answer<Output<Id>>> {
    const wired = this.#wire(id, input, options);
    return await this.#inSession(options.signal, (session) => this.#send(wired, session));
  }

  /** Begins an answer of the DNS API that goes on. @throws as `call`, without trying again */
  async open(
    id: OperationId,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ): Promise<Response> {
    const { method, path } = OPERATIONS[id];
    return await this.#inSession(signal, (session) =>
      this.#transport.open({
        operation: id,
        effect: 'none',
        url: `${this.#dnsUrlOf(session)}${path}`,
        method,
        headers: { ...headers, 'X-Auth-Token': session.token },
        signal,
      }),
    );
  }

  async #inSession<T>(
    signal: AbortSignal | undefined,
    work: (session: Session) => Promise<T>,
  ): Promise<T> {
    const session = await untilAborted(this.#sessions.get(), signal);
    try {
      return await work(session);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      // The token may have ended before its time. Once: a new one that is refused as well says that the right is missing.
      this.#sessions.drop(session);
      return await work(await untilAborted(this.#sessions.get(), signal));
    }
  }

  /** All of a call but the token and the address; the same for each time that it is sent. */
  #wire<Id extends OperationId>(id: Id, { path, query, body }: Input<Id>, options: CallOptions) {
    const { method, path: template, service, takesKey } = OPERATIONS[id];
    const isRead = method === 'GET';
    const key = takesKey ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined;
    return {
      service,
      target: fillIn(template, path) + toQuery(query, options.dryRun),
      call: {
        operation: id,
        effect: isRead ? 'none' : takesKey || method !== 'POST' ? 'once' : 'each',
        method,
        headers: headersOf(options, key, body !== undefined),
        body: body === undefined ? undefined : JSON.stringify(body),
        signal: options.signal,
      } satisfies Omit<WireCall, 'url'>,
    };
  }

  async #send<T>(
    { service, target, call }: { service: string; target: string; call: Omit<WireCall, 'url'> },
    session: Session,
  ): Promise<Answer<T>> {
    const url = `${service === 'dns' ? this.#dnsUrlOf(session) : this.#identityUrl}${target}`;
    const { token } = session;
    const headers = { ...call.headers, ...(token === '' ? {} : { 'X-Auth-Token': token }) };
    const answer = await this.#transport.send({ ...call, url, headers });
    const isText = answer.headers.get('content-type')?.startsWith('text/dns') === true;
    const value = isText
      ? answer.text
      : answer.text === ''
        ? undefined
        : readJson(answer.text, url);
    return readAnswer(value as T, answer.headers);
  }

  #dnsUrlOf({ dnsUrl, tenant }: Session): string {
    const url = this.#dnsUrl ?? dnsUrl;
    if (url !== undefined) return url;
    throw new UsageError(
      tenant === undefined
        ? 'no project was chosen, and there is not just one: name it'
        : `the DNS service is not switched on for project ${tenant.name}, or its user has no role for it`,
    );
  }
}

function headersOf(
  { ifMatch, wait, note }: CallOptions,
  key: string | undefined,
  hasBody: boolean,
): Record<string, string> {
  return {
    Accept: 'application/json, text/dns',
    ...(hasBody ? { 'Content-Type': 'application/json' } : {}),
    ...(key === undefined ? {} : { [IDEMPOTENCY_KEY]: key }),
    ...(ifMatch === undefined ? {} : { 'If-Match': ifMatch }),
    ...(wait === undefined ? {} : { Prefer: `wait=${wait}` }),
    ...(note === undefined ? {} : { 'X-Zonewright-Note': encodeNote(note) }),
  };
}

/** UTF-8, in the octets of a header. @throws UsageError */
function encodeNote(note: string): string {
  if (/\p{Cc}/u.test(note)) throw new UsageError('a note is one line of text');
  return String.fromCharCode(...new TextEncoder().encode(note));
}

function fillIn(template: string, values: object = {}): string {
  const named = new Map<string, unknown>(Object.entries(values));
  return template.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(String(named.get(name))),
  );
}

function toQuery(query: object = {}, dryRun = false): string {
  const all = new Map<string, unknown>(Object.entries(query));
  if (dryRun) all.set('dry_run', true);
  const given = [...all].filter(([, value]) => value !== undefined);
  if (given.length === 0) return '';
  return `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString()}`;
}

/** Others may wait for the same, so it goes on. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return await work;
  signal.throwIfAborted();
  const finished = new AbortController();
  const aborted = new Promise<never>((_resolve, reject) => {
    const stop = () => {
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', stop, { signal: finished.signal });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    finished.abort();
  }
}
