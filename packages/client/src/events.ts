import type { Caller } from './caller.js';
import { ApiError, UnreachableError } from './errors.js';
import type { components } from './generated/dns.js';
import { sleep } from './transport.js';

type Schemas = components['schemas'];

export type DnsEvent =
  | { readonly event: 'change'; readonly data: Schemas['ChangeEvent'] }
  | { readonly event: 'publication'; readonly data: Schemas['PublicationEvent'] }
  /** Some events were not sent. */
  | { readonly event: 'gap' }
  /** First event of each stream. All later events are sent. */
  | { readonly event: 'listening' };

/** Time without data after which the connection is assumed to be dead: three heartbeats, in milliseconds. */
const SILENT_MS = 45_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;

/** State that is kept between connections. */
interface Place {
  lastId?: string | undefined;
  /** Number of connections without an event since the last event. */
  failures: number;
}

/** @throws ApiError for a permanent error, or the reason of the signal */
export async function* listenToEvents(
  caller: Caller,
  signal: AbortSignal | undefined,
): AsyncGenerator<DnsEvent, void, undefined> {
  const place: Place = { failures: 0 };
  for (;;) {
    try {
      yield* listenOnce(caller, place, signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (isFinal(error)) throw error;
    }
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(place.failures, 10));
    place.failures += 1;
    await sleep(pause * (0.5 + Math.random() / 2), signal);
  }
}

/** Yields events until the connection ends. */
async function* listenOnce(
  caller: Caller,
  place: Place,
  signal: AbortSignal | undefined,
): AsyncGenerator<DnsEvent, void, undefined> {
  const stream = new AbortController();
  const both = signal === undefined ? stream.signal : AbortSignal.any([signal, stream.signal]);
  const headers = {
    Accept: 'text/event-stream',
    ...(place.lastId === undefined ? {} : { 'Last-Event-ID': place.lastId }),
  };
  try {
    const response = await caller.open('listenToEvents', headers, both);
    for await (const block of blocksOf(response, stream)) {
      const isFirst = place.lastId === undefined && block.id !== undefined;
      place.failures = 0;
      place.lastId = block.id ?? place.lastId;
      if (isFirst) yield { event: 'listening' };
      yield* toEvents(block);
    }
  } finally {
    stream.abort();
  }
}

/**
 * Whether a retry is pointless. 429 and 5xx are temporary; a token that cannot be renewed and a missing right are not.
 */
function isFinal(error: unknown): boolean {
  if (error instanceof ApiError) return error.status < 500 && error.status !== 429;
  // A lost connection is not an error of this client, and its class differs between platforms.
  return !(error instanceof UnreachableError) && !(error instanceof TypeError) && !isAbort(error);
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

async function* blocksOf(response: Response, stream: AbortController): AsyncGenerator<Block> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  const blocks = new EventStreamReader();
  for (;;) {
    const timer = setTimeout(() => {
      stream.abort();
    }, SILENT_MS);
    try {
      const { done, value } = await reader.read();
      if (done) return;
      yield* blocks.read(value);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Yields no event for a heartbeat, or for an event that this client does not support. */
function* toEvents({ event, data = '' }: Block): Generator<DnsEvent> {
  if (event === 'gap') yield { event };
  if (event === 'change') yield { event, data: JSON.parse(data) as Schemas['ChangeEvent'] };
  if (event === 'publication') {
    yield { event, data: JSON.parse(data) as Schemas['PublicationEvent'] };
  }
}

/** A block of an event stream: its fields and its data. Missing fields are undefined. */
interface Block {
  readonly event: string | undefined;
  readonly data: string | undefined;
  readonly id: string | undefined;
}

/** Parses an event stream (HTML Living Standard s9.2.6) from pieces of any size. A comment is an empty block. */
export class EventStreamReader {
  readonly #decoder = new TextDecoder();
  #rest = '';

  read(octets: Uint8Array): Block[] {
    const text = this.#rest + this.#decoder.decode(octets, { stream: true });
    const blocks = text.split(/\r?\n\r?\n/);
    this.#rest = blocks.pop() ?? '';
    return blocks.map(readBlock);
  }
}

function readBlock(text: string): Block {
  const fields = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    const before = name === 'data' ? fields.get(name) : undefined;
    fields.set(name, before === undefined ? value : `${before}\n${value}`);
  }
  return { event: fields.get('event'), data: fields.get('data'), id: fields.get('id') };
}
