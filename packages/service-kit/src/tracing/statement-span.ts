import { readPostgresUrl } from '../settings/postgres-url.js';
import { type Context, SpanKind, trace, type Tracer } from '@opentelemetry/api';
import {
  ATTR_DB_NAMESPACE,
  ATTR_DB_OPERATION_NAME,
  ATTR_DB_QUERY_SUMMARY,
  ATTR_DB_QUERY_TEXT,
  ATTR_DB_RESPONSE_STATUS_CODE,
  ATTR_DB_SYSTEM_NAME,
  ATTR_SERVER_ADDRESS,
  ATTR_SERVER_PORT,
  DB_SYSTEM_NAME_VALUE_POSTGRESQL,
} from '@opentelemetry/semantic-conventions';
import { errorTypeOf, failSpan } from './fail-span.js';

/**
 * Is told the text of each statement that is sent, with placeholders and never with their values. @returns what to call
 * with the error, if there is one, when it has been answered; undefined: nobody wants to know.
 */
export type StatementObserver = (text: string) => ((error?: unknown) => void) | undefined;

/** SQLSTATE, PostgreSQL appendix A; a lost connection has a code of the system. */
const SQLSTATE_FORM = /^[0-9A-Z]{5}$/;

export function observeStatements(
  tracer: Tracer,
  databaseUrl: string,
  getContext: () => Context,
): StatementObserver {
  const common = describeDatabase(databaseUrl);
  return (text) => {
    const context = getContext();
    if (trace.getSpan(context)?.isRecording() !== true) return undefined;
    const { operation, summary } = summarize(text);
    const attributes = {
      ...common,
      [ATTR_DB_OPERATION_NAME]: operation,
      [ATTR_DB_QUERY_SUMMARY]: summary,
      [ATTR_DB_QUERY_TEXT]: text,
    };
    const span = tracer.startSpan(summary, { kind: SpanKind.CLIENT, attributes }, context);
    return (error) => {
      if (error !== undefined && error !== null) {
        const type = errorTypeOf(error);
        if (SQLSTATE_FORM.test(type)) span.setAttribute(ATTR_DB_RESPONSE_STATUS_CODE, type);
        failSpan(span, type);
      }
      span.end();
    };
  };
}

/** Of several servers the first: which one took a statement is known to the driver alone. */
function describeDatabase(databaseUrl: string) {
  const { hostname, port, pathname } = new URL(readPostgresUrl(databaseUrl).urls[0] ?? '');
  return {
    [ATTR_DB_SYSTEM_NAME]: DB_SYSTEM_NAME_VALUE_POSTGRESQL,
    [ATTR_DB_NAMESPACE]: decodeURIComponent(pathname.slice(1)),
    [ATTR_SERVER_ADDRESS]: hostname,
    [ATTR_SERVER_PORT]: port === '' ? 5432 : Number(port),
  };
}

/** What a part of a statement writes; the name of the table has its schema, or `for update of` would be one. */
const WRITES = /\b(insert|update|delete)\s+(?:(?:into|from)\s+)?("?\w+"?\."?\w+"?)/i;
const READS = /\b(?:from|into|update)\s+((?:"?\w+"?\.)?"?\w+"?)/i;

/** `SELECT dns.domains` of a statement: its first word and the first table that it names; of one WITH several parts the first that writes. */
function summarize(text: string): { readonly operation: string; readonly summary: string } {
  const first = (/^\s*(\w+)/.exec(text)?.[1] ?? 'SQL').toUpperCase();
  const [, write, written] = (first === 'WITH' && WRITES.exec(text)) || [];
  const operation = write?.toUpperCase() ?? first;
  const table = written ?? READS.exec(text)?.[1];
  const summary = table === undefined ? operation : `${operation} ${table.replaceAll('"', '')}`;
  return { operation, summary };
}
