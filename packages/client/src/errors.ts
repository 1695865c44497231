/** One error in the request. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

/** Base class of all errors of this client. The reason of the caller's AbortSignal is thrown as it is. */
export abstract class ZonewrightError extends Error {}

/** The service answered, and refused. */
export class ApiError extends ZonewrightError {
  override readonly name = 'ApiError';
  readonly status: number;
  /** The kind in one word, as docs/reference/errors.md has it: `duplicate_domain`; of the identity service the title. */
  readonly type: string;
  readonly problems: readonly Problem[];
  /** Under which the log of the service has the request. */
  readonly requestId: string | undefined;
  /** Milliseconds to wait before the next request, as the service asks. */
  readonly retryAfterMs: number | undefined;
  /** An attempt before the one that was refused may have been done: a 404 may mean that this very call has deleted it. */
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

/** No answer came in time, and nothing can have been changed: a read, or a write that never left. */
export class UnreachableError extends ZonewrightError {
  override readonly name = 'UnreachableError';

  constructor(url: string, cause: unknown) {
    super(`${new URL(url).origin} does not answer (${reasonOf(cause)})`, { cause });
  }
}

/** A write was sent, and whether it was done is not known: look before doing it again. */
export class UnknownOutcomeError extends ZonewrightError {
  override readonly name = 'UnknownOutcomeError';

  constructor(operation: string, cause: unknown) {
    super(
      `there was no response to ${operation} (${reasonOf(cause)}), so its outcome is unknown. Check before you repeat it.`,
      { cause },
    );
  }
}

/** There is no such object, or the caller may not see it. */
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

/** Reads the error of either service. Any other body, such as that of a proxy, yields only its status. */
function readErrorBody({ status, text: answer }: Refusal) {
  const member = parseObject(answer);
  // The identity service names its error by a member: {"unauthorized": {"code": 401, "message": ...}}.
  const [[root, inner] = []] = Object.entries(member);
  const body: Record<string, unknown> =
    typeof inner === 'object' && inner !== null ? { type: root, ...inner } : member;
  const { type, message, details, errors } = body;
  // The identity service sends two texts. The first one only repeats the status.
  const text = details ?? message;
  return {
    type: typeof type === 'string' ? type : `http_${status}`,
    message: typeof text === 'string' ? text : `the service answered ${status}`,
    problems: Array.isArray(errors) ? (errors as Problem[]) : [],
  };
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return { ...value };
  } catch {
    // A page of a proxy.
  }
  return {};
}

/** `fetch failed` alone is useless: the cause has the reason. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error as { cause?: unknown };
  if (cause instanceof Error) {
    const { code } = cause as { code?: unknown };
    return cause.message || (typeof code === 'string' ? code : cause.name);
  }
  return error.message;
}

/** Milliseconds until another attempt is welcome (RFC 9110 s10.2.3: seconds, or a date). */
export function readRetryAfter(headers: Headers): number | undefined {
  const text = headers.get('retry-after');
  if (text === null) return undefined;
  if (/^\d{1,6}$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
