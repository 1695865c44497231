import {
  ApiError,
  readRetryAfter,
  UnknownOutcomeError,
  UnreachableError,
  UsageError,
} from './errors.js';

export interface TransportOptions {
  /** The fetch function; the default is that of the platform. */
  readonly fetch?: typeof fetch;
  /** Time limit of all attempts of a call. The default is 30 s. */
  readonly deadlineMs?: number;
  /**
   * Called when a write has an unknown outcome but can be sent again. Without it, UnknownOutcomeError is thrown at
   * once.
   */
  readonly onDoubt?: (() => UnknownOutcome) | undefined;
}

/** A write with an unknown outcome. It can be sent again, and takes effect once. */
export interface UnknownOutcome {
  /** Resolves to true to send it again, or to false to give up. */
  readonly askAgain: () => Promise<boolean>;
  /** Called when the outcome is known. Undefined for an error that reveals nothing about earlier attempts. */
  readonly end: (isDone: boolean | undefined) => void;
}

/** A call, which may be sent several times. */
export interface WireCall {
  /** Name of the operation, for errors. */
  readonly operation: string;
  /** `none`: a read. `once`: a write that has no further effect when it is repeated. `each`: any other write. */
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
/** Time limit of one attempt. A dead connection must leave time for another attempt. */
const ATTEMPT_MS = 12_000;

/** Sends a call until it gets a response, as long as repeating it is safe. */
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

  /** Sends until a response arrives or the time limit is reached. */
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
   * Opens a stream without retries, because readers reconnect on their own.
   *
   * @throws ApiError, UnreachableError, or the reason of the caller's signal
   */
  async open({ url, method, headers, signal }: WireCall): Promise<Response> {
    signal?.throwIfAborted();
    const late = new AbortController();
    const timer = setTimeout(() => {
      late.abort(new Error('no response in time'));
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

/**
 * A repeated request with an Idempotency-Key gets the first response. An error therefore means that nothing was done.
 */
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
  // A 503 for the last attempt reveals nothing about earlier ones.
  const isUnknown = !isRead && isAfterUnknown && error.status >= 500;
  return isUnknown ? new UnknownOutcomeError(call.operation, error) : error;
}

/** @throws UsageError if the text is not JSON, because another server has that address */
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

/** Outcome of a failed attempt. */
type Failure =
  /** A response arrived. */
  | { readonly status: number; readonly retryAfterMs: number | undefined }
  /** No response arrived, so the request may or may not have been received. */
  | { readonly status: undefined };

interface Attempt {
  /** Whether a retry has no further effect: a read, or a write with an Idempotency-Key. */
  readonly isRepeatable: boolean;
  /** Number of attempts, including this one. */
  readonly count: number;
  readonly failure: Failure;
  /** Random number from 0 to 1, so that many clients do not reconnect at the same time. */
  readonly random: number;
}

const MOST_ATTEMPTS = 10;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/** Returns the milliseconds until the next attempt. Undefined if there is none. */
export function pauseBeforeRetry({
  isRepeatable,
  count,
  failure,
  random,
}: Attempt): number | undefined {
  if (count >= MOST_ATTEMPTS) return undefined;
  const usual = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (count - 1)) * (0.5 + random / 2);
  // The outcome is unknown. This does not matter for a read or with an Idempotency-Key.
  if (failure.status === undefined) return isRepeatable ? usual : undefined;
  // The service reports that nothing was done, and when to retry.
  if (failure.status === 429) return failure.retryAfterMs ?? usual;
  // The service sends 503 if nothing was done, but a proxy may send it after the request was done.
  const isGone = [502, 503, 504].includes(failure.status);
  return isGone && isRepeatable ? Math.max(failure.retryAfterMs ?? 0, usual) : undefined;
}
