/** One error in the request. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

/** Base class of all errors of this client. The reason of the caller's AbortSignal is thrown unchanged. */
export abstract class ZonewrightError extends Error {}

/** The service rejected the request. */
export class ApiError extends ZonewrightError {
  override readonly name = 'ApiError';
  readonly status: number;
  /**
   * Error type in one word, such as `duplicate_domain` (docs/reference/errors.md). For the identity service, the title.
   */
  readonly type: string;
  readonly problems: readonly Problem[];
  /** Id of the request in the log of the service. */
  readonly requestId: string | undefined;
  /** Milliseconds to wait before the next request, as requested by the service. */
  readonly retryAfterMs: number | undefined;
  /** Whether an earlier attempt may have succeeded. A 404 may then mean that this call has deleted the object. */
  readonly isAfterUnknown: boolean;

  constructor(answer: Refusal) {
    const { type, message, problems } = readErrorBody(answer);
    super(message);
    this.status = answer.status;
    this.type = type;
    this.problems = problems;
    this.requestId = answer.headers.get('x-openstack-request-id') ?? undefined;
    this.retryAfterMs = readRetryAfter(answer.headers);
    this.isAfterUnknown = answer.isAfterUnknown;
  }
}

/** No response arrived in time, and nothing can have changed: the call was a read, or a write that was not sent. */
export class UnreachableError extends ZonewrightError {
  override readonly name = 'UnreachableError';

  constructor(url: string, cause: unknown) {
    super(`${new URL(url).origin} does not respond (${reasonOf(cause)})`, { cause });
  }
}

/** A write was sent, and its outcome is unknown: check the state before repeating it. */
export class UnknownOutcomeError extends ZonewrightError {
  override readonly name = 'UnknownOutcomeError';

  constructor(operation: string, cause: unknown) {
    super(
      `there was no response to ${operation} (${reasonOf(cause)}), so its outcome is unknown. Check the result before you repeat it.`,
      { cause },
    );
  }
}

/** The object does not exist, or the caller may not see it. */
export class NotFoundError extends ZonewrightError {
  override readonly name = 'NotFoundError';
}

/** Invalid input for the client: an unknown name, or a URL that is not an API of this kind. */
export class UsageError extends ZonewrightError {
  override readonly name = 'UsageError';
}

interface Refusal {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly isAfterUnknown: boolean;
}

/** Reads the error of either service. For any other body, such as that of a proxy, only the status is used. */
function readErrorBody({ status, text: answer }: Refusal) {
  const member = parseObject(answer);
  // The identity service uses the error's name as a member: {"unauthorized": {"code": 401, "message": ...}}.
  const [[root, inner] = []] = Object.entries(member);
  const body: Record<string, unknown> =
    typeof inner === 'object' && inner !== null ? { type: root, ...inner } : member;
  const { type, message, details, errors } = body;
  // The identity service sends two texts. The first one only repeats the status.
  const text = details ?? message;
  return {
    type: typeof type === 'string' ? type : `http_${status}`,
    message: typeof text === 'string' ? text : `the service responded with status ${status}`,
    problems: Array.isArray(errors) ? (errors as Problem[]) : [],
  };
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return { ...value };
  } catch {
    // The body is the page of a proxy.
  }
  return {};
}

/** Returns the reason of an error. For `fetch failed`, it is in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error as { cause?: unknown };
  if (cause instanceof Error) {
    const { code } = cause as { code?: unknown };
    return cause.message || (typeof code === 'string' ? code : cause.name);
  }
  return error.message;
}

/** Reads the milliseconds to wait before another attempt (seconds or a date, RFC 9110 s10.2.3). */
export function readRetryAfter(headers: Headers): number | undefined {
  const text = headers.get('retry-after');
  if (text === null) return undefined;
  if (/^\d{1,6}$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
