import {
  type Api,
  type ApiDescription,
  buildOpenApiDocument,
  decodeUtf8,
  describeRefusal,
  type Exchange,
  type Form,
  formatOf,
  MEDIA_TYPES,
  type Operation,
  parseJson,
  parseXml,
  readBody,
  readContentType,
  Refusal,
  REFUSALS,
  type RefusalTexts,
  type Reply,
  RequestMetrics,
  requireAcceptable,
} from '@zonewright/http-api';
import {
  type Clock,
  type ErrorKind,
  type Logger,
  problemsOf,
  ServiceError,
} from '@zonewright/service-kit';
import { Registry } from 'prom-client';

/** The domain of an API that exists only for the worked example of CONTRIBUTING.md. */
export type Notebook = Map<string, string>;

export interface Note {
  readonly text: string;
}

export interface NoteOperation extends Operation {
  readonly limit: { readonly requestsPerSecond: number };
  /** The form of the body that the operation reads and returns. */
  readonly body: Form<Note>;
  readonly faults: readonly (404 | 409)[];
  readonly handle: (notes: Notebook, params: { noteId: string }, body: Note) => Note;
}

const TYPES = [MEDIA_TYPES.json, MEDIA_TYPES.xml];
const BOUNDS = { maxDepth: 8, maxValues: 100, maxMarkup: 100 };
const STATUS: Readonly<Partial<Record<ErrorKind, number>>> = {
  invalid: 400,
  unauthenticated: 401,
  'not-found': 404,
  'rate-limited': 429,
};
const TEXTS = Object.fromEntries(
  Object.keys(REFUSALS).map((code) => [code, () => code]),
) as unknown as RefusalTexts;

export interface NotesApi {
  readonly api: Api<NoteOperation>;
  readonly registry: Registry;
}

interface NotesParts {
  readonly notes: Notebook;
  /** The only valid token. */
  readonly token: string;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Creates the parts that a service needs once for all of its operations. */
export function createNotesApi(
  operations: readonly NoteOperation[],
  { notes, token, clock, log }: NotesParts,
): NotesApi {
  const registry = new Registry();
  const limiter = new Limiter(clock);
  const api: Api<NoteOperation> = {
    operations,
    isTls: false,
    types: TYPES,
    log,
    metrics: new RequestMetrics({ registry, metricPrefix: 'notes', buckets: [0.1, 1] }),
    tracing: undefined,
    noRoute: 'none',
    perform: async ({ id, limit, body, handle }, exchange): Promise<Reply> => {
      const { headers } = exchange.request;
      requireAcceptable(headers.accept, TYPES);
      if (headers['x-auth-token'] !== token) throw new ServiceError('unauthenticated', 'no token');
      limiter.count(id, limit.requestsPerSecond);
      const { noteId = '' } = exchange.params;
      const answer = handle(notes, { noteId }, body.read(await readNoteBody(exchange)));
      return { status: 200, body: body.represent(answer) };
    },
    renderError: (error) => {
      const status =
        error instanceof Refusal
          ? error.status
          : error instanceof ServiceError
            ? (STATUS[error.kind] ?? 500)
            : 500;
      return { status, body: { toJson: () => JSON.stringify({ message: messageOf(error) }) } };
    },
  };
  return { api, registry };
}

/** Counts the requests of each second. */
class Limiter {
  readonly #clock: Clock;
  readonly #counts = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  count(operation: string, most: number): void {
    const key = `${operation} ${Math.floor(this.#clock.now() / 1_000)}`;
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    if (count > most) throw new ServiceError('rate-limited', 'too many requests');
  }
}

function messageOf(error: unknown): string {
  if (error instanceof Refusal) return describeRefusal(TEXTS, error);
  if (!(error instanceof ServiceError)) return 'a fault';
  const [problem] = problemsOf(error);
  return problem?.message ?? error.message;
}

async function readNoteBody({ request, response }: Exchange): Promise<unknown> {
  const type = readContentType(request.headers['content-type'], TYPES) ?? MEDIA_TYPES.json;
  const bytes = await readBody(request, response, { maxBytes: 1_000 });
  return formatOf(type) === 'xml' ? parseXml(decodeUtf8(bytes), BOUNDS) : parseJson(bytes, BOUNDS);
}

const DESCRIPTION: ApiDescription<NoteOperation> = {
  title: 'Notes',
  version: '1',
  description: 'Notes.',
  token: {},
  parameter: { type: 'string' },
  schemas: {},
  responses: {},
  headersOf: () => [],
  requestOf: ({ body }) => body.content,
  successOf: ({ body }) => ({ description: 'Success', content: body.content }),
  faultsOf: ({ faults }) =>
    Object.fromEntries([400, 401, 429, ...faults].map((status) => [status, { description: '-' }])),
};

export function describeNotesApi(operations: readonly NoteOperation[]) {
  return buildOpenApiDocument(DESCRIPTION, operations, 'http://notes.example.net');
}
