import {
  ApiError,
  readRetryAfter,
  UnknownOutcomeError,
  UnreachableError,
  UsageError,
} from './errors.js';

export interface TransportOptions {
  /** Default: the fetch of the platform. */
  readonly fetch?: typeof fetch;
  /** Limit for all attempts of a call. Default: 30 s. */
  readonly deadlineMs?: number;
  /** Called when the outcome of a write is not known that may be sent again; without it, that is an UnknownOutcomeError at once. */
  readonly onDoubt?: (() => UnknownOutcome) | undefined;
}

/** A write whose outcome is unknown until the service responds. It can be sent again, and takes effect once. */
export interface UnknownOutcome {
  /** Resolves to true to send it again, or to false to give up. */
  readonly askAgain: () => Promise<boolean>;
  /** The outcome is known. Undefined: a refusal that says nothing about earlier attempts. */
  readonly end: (isDone: boolean | undefined) => void;
}

/** One call, which may be sent any number of times. */
export interface WireCall {
  /** Name of the operation, for errors. */
  readonly operation: string;
  /** `none`: a read. `once`: a write that changes nothing more when it is repeated. `each`: one that would. */
  readonly effect: 'none' | 'once' | 'each';
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface WireAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

type Outcome = WireAnswer | { readonly status: undefined; readonly error: unknown };

export const IDEMPOTENCY_KEY = 'Idempotency-Key';
const DEADLINE_MS = 30_000;
/** Timeout of one attempt. A dead connection must leave time for another attempt. */
const ATTEMPT_MS = 12_000;

/** Sends a call until it is answered, as far as repeating it is safe. */
export class Transport {
  readonly #fetch: typeof fetch;
  readonly #deadlineMs: number;
  readonly #onDoubt: (() => UnknownOutcome) | undefined;

  constructor({ fetch: given, deadlineMs = DEADLINE_MS, onDoubt }: TransportOptions) {
    this.#fetch = given ?? globalThis.fetch.bind(globalThis);
    this.#deadlineMs = deadlineMs;
    this.#onDoubt = onDoubt;
  }

  /** @throws ApiError, UnreachableError, UnknownOutcomeError, or the reason of the caller's signal */
  async send(call: WireCall): Promise<WireAnswer> {
    try {
      return await this.#sendInTime(call, false);
    } catch (error) {
      const isOpen = error instanceof UnknownOutcomeError && call.effect === 'once';
      if (!isOpen || this.#onDoubt === undefined) throw error;
      return await this.#settle(call, this.#onDoubt(), error);
    }
  }

  /** Sends the same request again while the caller wants to know the outcome. */
  async #settle(
    call: WireCall,
    doubt: UnknownOutcome,
    first: UnknownOutcomeError,
  ): Promise<WireAnswer> {
    let unknown = first;
    while (await doubt.askAgain()) {
      try {
        const answer = await this.#sendInTime(call, true);
        doubt.end(true);
        return answer;
      } catch (error) {
        if (!(error instanceof UnknownOutcomeError)) {
          doubt.end(isRefusalOfAll(call, error) ? false : undefined);
          throw error;
        }
        unknown = error;
      }
    }
    throw unknown;
  }

  /** Sends until a response arrives or the time is over. */
  async #sendInTime(call: WireCall, isRepeated: boolean): Promise<WireAnswer> {
    const endsAt = Date.now() + this.#deadlineMs;
    let isAfterUnknown = isRepeated;
    for (let count = 1; ; count += 1) {
      const outcome = await this.#attempt(call, endsAt);
      if (outcome.status !== undefined && outcome.status < 400) return outcome;
      const failure = readFailure(outcome);
      const isRepeatable = call.effect !== 'each';
      const pause = pauseBeforeRetry({ isRepeatable, count, failure, random: Math.random() });
      if (pause === undefined || Date.now() + pause >= endsAt) {
        throw giveUp(call, outcome, isAfterUnknown);
      }
      isAfterUnknown ||= failure.status !== 429;
      await sleep(pause, call.signal);
    }
  }

  /**
   * Opens a stream, without a retry: readers reconnect by themselves.
   *
   * @throws ApiError, UnreachableError, or the reason of the caller's signal
   */
  async open({ url, method, headers, signal }: WireCall): Promise<Response> {
    signal?.throwIfAborted();
    const late = new AbortController();
    const timer = setTimeout(() => {
      late.abort(new Error('no answer in time'));
    }, ATTEMPT_MS);
    try {
      const response = await this.#fetch(url, {
        method,
        headers: { ...headers },
        redirect: 'error',
        signal: signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]),
      });
      const { status, headers: answered } = response;
      if (status < 400) return response;
      const text = await response.text();
      throw new ApiError({ status, headers: answered, text, isAfterUnknown: false });
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof ApiError) throw error;
      throw new UnreachableError(url, error);
    } finally {
      clearTimeout(timer);
    }
  }

  async #attempt(call: WireCall, endsAt: number): Promise<Outcome> {
    const { url, method, headers, body, signal } = call;
    signal?.throwIfAborted();
    const limit = AbortSignal.timeout(Math.max(1, Math.min(ATTEMPT_MS, endsAt - Date.now())));
    try {
      const response = await this.#fetch(url, {
        method,
        headers: { ...headers },
        ...(body === undefined ? {} : { body }),
        // Tokens are sent only to the services in the catalog, never to a redirect's target.
        redirect: 'error',
        signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      });
      const { status, headers: answered } = response;
      return { status, headers: answered, text: await response.text() };
    } catch (error) {
      signal?.throwIfAborted();
      return { status: undefined, error };
    }
  }
}

/** A repeated request with an Idempotency-Key gets the first response. So a refusal means that it was not done. */
function isRefusalOfAll({ headers }: WireCall, error: unknown): boolean {
  return (
    error instanceof ApiError &&
    error.status < 500 &&
    error.status !== 401 &&
    IDEMPOTENCY_KEY in headers
  );
}

function giveUp(call: WireCall, outcome: Outcome, isAfterUnknown: boolean): Error {
  const isRead = call.effect === 'none';
  if (outcome.status === undefined) {
    return isRead
      ? new UnreachableError(call.url, outcome.error)
      : new UnknownOutcomeError(call.operation, outcome.error);
  }
  const error = new ApiError({ ...outcome, isAfterUnknown });
  // 503 to the last of several attempts says nothing of those before it.
  const isUnknown = !isRead && isAfterUnknown && error.status >= 500;
  return isUnknown ? new UnknownOutcomeError(call.operation, error) : error;
}

/** @throws UsageError when it is none: something else answers at that address */
export function readJson(text: string, url: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new UsageError(
      `the response of ${url} is not JSON. Is this the address of a Zonewright service?`,
    );
  }
}

function readFailure(outcome: Outcome): Failure {
  if (outcome.status === undefined) return { status: undefined };
  return { status: outcome.status, retryAfterMs: readRetryAfter(outcome.headers) };
}

export function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** How one attempt ended. */
type Failure =
  /** An answer. */
  | { readonly status: number; readonly retryAfterMs: number | undefined }
  /** None: whether the request arrived is not known. */
  | { readonly status: undefined };

interface Attempt {
  /** Whether a repetition has no further effect: a read, or a write with an Idempotency-Key. */
  readonly isRepeatable: boolean;
  /** How many were made, this one included. */
  readonly count: number;
  readonly failure: Failure;
  /** From 0 to 1, so that many clients do not reconnect at the same time. */
  readonly random: number;
}

const MOST_ATTEMPTS = 10;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/** After how many milliseconds to try again; undefined: not at all. */
export function pauseBeforeRetry({
  isRepeatable,
  count,
  failure,
  random,
}: Attempt): number | undefined {
  if (count >= MOST_ATTEMPTS) return undefined;
  const usual = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (count - 1)) * (0.5 + random / 2);
  // Whether it was done is not known; with a key, or of a read, that makes no difference.
  if (failure.status === undefined) return isRepeatable ? usual : undefined;
  // The service says that it did not do it, and when to come back. It knows better than any formula.
  if (failure.status === 429) return failure.retryAfterMs ?? usual;
  // 503 is the service's own "nothing was done", but a proxy's as well, after the service has done it.
  const isGone = [502, 503, 504].includes(failure.status);
  return isGone && isRepeatable ? Math.max(failure.retryAfterMs ?? 0, usual) : undefined;
}
