/** How one attempt ended. */
export type Failure =
  /** An answer. */
  | { readonly status: number; readonly retryAfterMs: number | undefined }
  /** None: whether the request arrived is not known. */
  | { readonly status: undefined };

interface Attempt {
  /** Repeating the request changes nothing that the first time has not: reads, and what has an Idempotency-Key. */
  readonly isRepeatable: boolean;
  /** How many were made, this one included. */
  readonly count: number;
  readonly failure: Failure;
  /** From 0 to 1, so that many clients do not come back together. */
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
