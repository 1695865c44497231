import { type Exchange, MEDIA_TYPES, Refusal, type Reply } from '@zonewright/http-api';
import { ServiceError, STATUS_OF_ERROR } from '@zonewright/service-kit';

type ErrorReply = Reply & { readonly body: string };

const RETRY_AFTER_SECONDS = 2;

/** Renders errors in the format of the DNS API, so that pages read only one format. */
export function renderError(
  error: unknown,
  { requestId }: Pick<Exchange, 'requestId'>,
): ErrorReply {
  if (error instanceof Refusal) {
    const { status, code, facts } = error;
    const headers = status === 405 ? { Allow: (facts.offered ?? []).join(', ') } : {};
    return toReply(
      { status, type: code, message: `The request was refused: ${code}.`, requestId },
      headers,
    );
  }
  if (!(error instanceof ServiceError)) {
    return toReply({
      status: 500,
      type: 'unknown',
      message: 'The console failed; the operator can find the cause by request_id.',
      requestId,
    });
  }
  const { kind, message } = error;
  return toReply(
    { status: STATUS_OF_ERROR[kind], type: kind.replaceAll('-', '_'), message, requestId },
    headersOf(error),
  );
}

function headersOf({ kind, details }: ServiceError): Readonly<Record<string, string>> {
  const { retryAfterSeconds } = (details ?? {}) as { readonly retryAfterSeconds?: number };
  const seconds = retryAfterSeconds ?? (kind === 'unavailable' ? RETRY_AFTER_SECONDS : undefined);
  return seconds === undefined ? {} : { 'Retry-After': String(seconds) };
}

interface ErrorFacts {
  readonly status: number;
  readonly type: string;
  readonly message: string;
  readonly requestId: string;
}

function toReply(
  { status, type, message, requestId }: ErrorFacts,
  headers: Readonly<Record<string, string>> = {},
): ErrorReply {
  return {
    status,
    headers: { 'Content-Type': MEDIA_TYPES.json, ...headers },
    body: JSON.stringify({ code: status, type, message, errors: [], request_id: requestId }),
  };
}
