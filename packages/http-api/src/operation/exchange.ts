import type { IncomingMessage, ServerResponse } from 'node:http';

/** What the log says of a request beyond what it says of all; names, ids and numbers, never a secret. */
type LogFacts = Record<string, string | number | undefined>;

/** A request and its answer to be, with what was found out on the way. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Under which the request stands in the log, and which the answer carries; one that is passed on takes up the other service's. */
  requestId: string;
  /** The target as routes know it, with the query. */
  readonly target: string;
  /** The same without the query. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  /** For its log line. */
  readonly logged: LogFacts;
  /** For its audit line, if it has one. */
  readonly audited: Record<string, unknown>;
  /**
   * When it was answered, by performance.now(), if its connection is needed after that: what is left of its body is read away
   * (endAnswer), or a live body goes on.
   */
  answeredAt: number | undefined;
}
