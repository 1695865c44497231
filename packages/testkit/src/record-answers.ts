import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, expect } from '@jest/globals';
import { AnswerChecker } from './answer-checker.js';
import { readTestEnvironment } from './environment.js';

interface RecordedApi {
  /** Name of the API in the records of a run. */
  readonly name: string;
  /** OpenAPI document of the API. */
  readonly document: object;
}

/**
 * Maximum size of responses that are always checked. Larger ones are long lists, and only the first of each operation
 * is checked.
 */
const MAX_OCTETS = 65_536;
const CHECKED = /^application\/(json|xml)\b/;
const NEW_REQUEST = 'http.server.request.start';
/** Key under which checkers are kept between test files, since compiling schemas takes longer than using them. */
const CHECKERS = Symbol.for('zonewright.answer-checkers');

/**
 * Checks each response that a server in this process sends while a test file runs. At the end the file fails if a
 * response did not match the document of the API. The responses are recorded, and scripts/check-answers.mjs compares
 * them with the document.
 */
export function recordAnswers(api: RecordedApi): void {
  const checker = checkerOf(api);
  const findOperation = operationFinder(api.document);
  const given = new Set<string>();
  const large = new Set<string>();
  const problems = new Set<string>();

  const look = (id: string, { head, status, body, isWhole }: SentAnswer) => {
    const key = `${id} ${status}`;
    given.add(key);
    const isSeen = body.length > MAX_OCTETS && large.has(key);
    if (body.length > MAX_OCTETS) large.add(key);
    const text = isSeen || !isWhole ? undefined : unfold(head.get('content-encoding'), body);
    const problem = checker.check(id, { status, head, body: text });
    if (problem !== undefined) problems.add(`${key} ${problem}`);
  };
  const onRequest = (message: unknown) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    const id = findOperation(request.method ?? '', (request.url ?? '').replace(/[?#].*$/s, ''));
    if (id === undefined) return;
    followAnswer(request, response, (answer) => {
      look(id, answer);
    });
  };
  subscribe(NEW_REQUEST, onRequest);
  afterAll(() => {
    unsubscribe(NEW_REQUEST, onRequest);
    writeDown(api.name, checker.documented, given);
    expect([...problems]).toEqual([]);
  });
}

/** Finds the id of the documented operation that a request is for. */
function operationFinder(document: object) {
  const { paths } = document as {
    readonly paths: Record<string, Record<string, { readonly operationId?: string }>>;
  };
  // A literal segment precedes a parameter.
  const rank = (path: string) => path.replaceAll(/\{\w+\}/g, '\uffff');
  const routes = Object.entries(paths)
    .toSorted(([a], [b]) => (rank(a) < rank(b) ? -1 : 1))
    .map(([path, methods]) => ({
      methods,
      expression: new RegExp(
        `^${path.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+')}$`,
      ),
    }));
  return (method: string, path: string) => {
    // A path with invalid percent-encoding belongs to no operation.
    if (/%(?![0-9a-f]{2})/i.test(path)) return undefined;
    const found = routes.find(({ expression }) => expression.test(path));
    const name = method.toLowerCase();
    const operation = found?.methods[name] ?? (name === 'head' ? found?.methods['get'] : undefined);
    return operation?.operationId;
  };
}

interface SentAnswer {
  readonly status: number;
  readonly head: ReadonlyMap<string, string>;
  readonly body: Buffer;
  /** Whether the response is complete. */
  readonly isWhole: boolean;
}

/** Calls back when a response has been sent. Its head cannot be read later. */
function followAnswer(
  { method }: IncomingMessage,
  response: ServerResponse,
  onSent: (answer: SentAnswer) => void,
): void {
  const head = new Map<string, string>();
  const chunks: Buffer[] = [];
  const keep = (chunk: unknown) => {
    const isKept = CHECKED.test(head.get('content-type') ?? '') && method !== 'HEAD';
    if (isKept && typeof chunk === 'string') chunks.push(Buffer.from(chunk));
    else if (isKept && chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  const before = (
    name: 'writeHead' | 'write' | 'end',
    look: (given: readonly unknown[]) => void,
  ) => {
    const original = response[name].bind(response) as (...given: unknown[]) => unknown;
    const following = (...given: unknown[]) => {
      look(given);
      return original(...given);
    };
    Object.assign(response, { [name]: following });
  };
  before('writeHead', (given) => {
    const list = given.at(-1);
    for (let at = 0; Array.isArray(list) && at < list.length; at += 2) {
      head.set(String(list[at]).toLowerCase(), String(list[at + 1]));
    }
  });
  before('write', ([chunk]) => {
    keep(chunk);
  });
  before('end', ([chunk]) => {
    keep(chunk);
  });
  response.once('close', () => {
    if (!response.headersSent) return;
    const { statusCode: status, writableFinished: isWhole } = response;
    onSent({ status, head, body: Buffer.concat(chunks), isWhole });
  });
}

function unfold(encoding: string | undefined, body: Buffer): string {
  // A response without a body, such as 304, may still name an encoding.
  if (body.length === 0) return '';
  if (encoding === 'gzip') return gunzipSync(body).toString();
  return (encoding === 'br' ? brotliDecompressSync(body) : body).toString();
}

function checkerOf({ name, document }: RecordedApi): AnswerChecker {
  const held = globalThis as unknown as Record<symbol, Map<string, AnswerChecker> | undefined>;
  const checkers = (held[CHECKERS] ??= new Map<string, AnswerChecker>());
  const checker = checkers.get(name) ?? new AnswerChecker(document);
  checkers.set(name, checker);
  return checker;
}

/** Writes a file for each test file, so that several workers do not conflict. */
function writeDown(api: string, documented: readonly string[], given: ReadonlySet<string>): void {
  const folder = join(readTestEnvironment().folder, 'answers');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, `${randomUUID()}.json`),
    JSON.stringify({ api, documented, given: [...given] }),
  );
}
