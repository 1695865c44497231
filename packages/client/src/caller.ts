import { type Answer, readAnswer } from './answer.js';
import { ApiError, UsageError } from './errors.js';
import type { operations as DnsOperations } from './generated/dns.js';
import type { operations as IdentityOperations } from './generated/identity.js';
import { OPERATIONS } from './generated/operations.js';
import type { Session, SessionHolder } from './session.js';
import { IDEMPOTENCY_KEY, readJson, type Transport, type WireCall } from './transport.js';

/** Options of every call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Returns the response of a write without making the change. */
  readonly dryRun?: boolean | undefined;
  /** Seconds (at most 10) to wait until the nameservers have published a write. */
  readonly wait?: number | undefined;
  /** ETag that the object must still have. Otherwise the write fails with 412. */
  readonly ifMatch?: string | undefined;
  /** Reason for a write, shown in the history: one line of at most 255 bytes of UTF-8. */
  readonly note?: string | undefined;
  /** Key that makes a repeated POST take effect once. The default is a new key for each call. */
  readonly idempotencyKey?: string | undefined;
}

/** Calls operations by their ids, with a session's token. */
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

  /** Opens a stream of the DNS API. @throws as `call`, without retries */
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
      // The token may have been revoked before its expiry. Retry once: if a new token is also rejected, the user lacks
      // the right.
      this.#sessions.drop(session);
      return await work(await untilAborted(this.#sessions.get(), signal));
    }
  }

  /** Returns all parts of a request except the token and the address. They are the same for each attempt. */
  #wire<Id extends OperationId>(id: Id, { path, query, body }: Input<Id>, options: CallOptions) {
    const { method, path: template, service, takesKey } = OPERATIONS[id];
    const isRead = method === 'GET';
    const key = takesKey ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined;
    const sent = writeBody(body, query);
    return {
      service,
      target: fillIn(template, path) + toQuery(sent.query, options.dryRun),
      call: {
        operation: id,
        effect: isRead ? 'none' : takesKey || method !== 'POST' ? 'once' : 'each',
        method,
        headers: headersOf(options, key, sent.type),
        body: sent.body,
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
        ? 'choose a project with tenantId or tenantName: the user has none or several'
        : `the DNS service is not active for project ${tenant.name}, or the user has no role for it`,
    );
  }
}

function headersOf(
  { ifMatch, wait, note }: CallOptions,
  key: string | undefined,
  type: string | undefined,
): Record<string, string> {
  return {
    Accept: 'application/json, text/dns',
    ...(type === undefined ? {} : { 'Content-Type': type }),
    ...(key === undefined ? {} : { [IDEMPOTENCY_KEY]: key }),
    ...(ifMatch === undefined ? {} : { 'If-Match': ifMatch }),
    ...(wait === undefined ? {} : { Prefer: `wait=${wait}` }),
    ...(note === undefined ? {} : { 'X-Zonewright-Note': encodeNote(note) }),
  };
}

/** Encodes a note as UTF-8 in the bytes of a header. @throws UsageError */
function encodeNote(note: string): string {
  if (/\p{Cc}/u.test(note)) throw new UsageError('a note must be one line of text');
  return String.fromCharCode(...new TextEncoder().encode(note));
}

/** JSON bodies are read in one go, so that the API refuses long ones. */
const LONG_FILE_CHARACTERS = 1_000_000;

/** A long zone file is the body itself, and the other members are in the query. */
function writeBody(body: unknown, query: object | undefined) {
  if (body === undefined) return { body: undefined, query, type: undefined };
  const { zonefile, ...members } = body as { readonly zonefile?: unknown };
  if (typeof zonefile === 'string' && zonefile.length > LONG_FILE_CHARACTERS) {
    return { body: zonefile, query: { ...query, ...members }, type: 'text/dns' };
  }
  return { body: JSON.stringify(body), query, type: 'application/json' };
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

/** Waits until the signal is aborted. The work continues, since other callers may wait for the same result. */
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

type Described = DnsOperations & IdentityOperations;

/** The operationId of every operation that this client supports. */
export type OperationId = keyof typeof OPERATIONS & keyof Described;

type Part<O, Place extends string> = O extends { parameters: infer P }
  ? Place extends keyof P
    ? Exclude<P[Place], undefined>
    : never
  : never;
type JsonOf<O> = O extends { content: { 'application/json': infer J } } ? J : undefined;
type BodyOf<O> = O extends { requestBody: infer B } ? JsonOf<B> : never;
type SuccessOf<O> = O extends { responses: infer R } ? R[keyof R] : never;

/** Requires a member if the operation has it, and forbids it otherwise. */
type Needed<Name extends string, T> = [T] extends [never]
  ? { readonly [N in Name]?: undefined }
  : { readonly [N in Name]: T };

/** Input of an operation. */
export type Input<Id extends OperationId> = Needed<'path', Part<Described[Id], 'path'>> &
  Needed<'body', BodyOf<Described[Id]>> & {
    readonly query?: Omit<Part<Described[Id], 'query'>, 'dry_run'> | undefined;
  };

/** Output of an operation: typed JSON or text. */
export type Output<Id extends OperationId> =
  SuccessOf<Described[Id]> extends { content: { 'text/dns': string } }
    ? string
    : JsonOf<SuccessOf<Described[Id]>>;
