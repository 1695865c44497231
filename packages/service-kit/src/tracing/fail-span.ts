import { type Span, SpanStatusCode } from '@opentelemetry/api';
import { ATTR_ERROR_TYPE } from '@opentelemetry/semantic-conventions';

/** Marks a span as failed. Only by a type: messages of errors repeat what a caller sent. */
export function failSpan(span: Span, errorType: string): void {
  span.setAttribute(ATTR_ERROR_TYPE, errorType);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** The code of a system or SQL error, else the name of its class. */
export function errorTypeOf(error: unknown): string {
  const { code, name = 'Error' } = error as { readonly code?: unknown; readonly name?: string };
  return typeof code === 'string' ? code : name;
}
