import type { FairSlots } from '@zonewright/service-kit';
import type { Exchange, Reply } from '@zonewright/http-api';
import { type Encoding, encodingHeaders } from '../limits/compression.js';
import type { Context } from '../context/context.js';
import type { ApiReply, RenderedReply, StreamedReply } from './reply.js';

/** Memory of a streamed response: one chunk being rendered and one chunk that the client has not read. */
const STREAM_OCTETS = 2 * 1_048_576;

/**
 * Sends a response, compressed if the client accepts it, and counts its memory for the tenant until the client has read
 * it.
 */
export async function sendCounted(
  context: Context,
  { response, logged }: Exchange,
  { status, headers, body }: ApiReply,
  encoding: Encoding | undefined,
): Promise<Reply> {
  const tenantId = String(logged['tenantId'] ?? '');
  // A 304 response has no length (RFC 9110 s8.6).
  if (status === 304) return { status, headers };
  const { answers } = context.shares;
  const hold = (octets: number) => {
    // The client has disconnected, and no further event would report it.
    if (response.destroyed) return;
    answers.count(tenantId, { amount: octets });
    response.once('close', () => {
      answers.leave(tenantId, { amount: octets });
    });
  };
  // A stream limits its own memory.
  if (typeof body === 'object' && 'open' in body) return { status, headers, body };
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) {
    // A compressor needs about the same amount of memory.
    hold(encoding === undefined ? STREAM_OCTETS : 2 * STREAM_OCTETS);
    return streamAnswer(context, tenantId, { status, headers, body }, encoding);
  }
  const octets = typeof body === 'string' ? Buffer.from(body, 'utf8') : body;
  const reply = await compressAnswer(context, { status, headers, body: octets }, encoding);
  hold(reply.body.length);
  return reply;
}

async function compressAnswer(
  { compression }: Context,
  { status, headers, body }: RenderedReply,
  encoding: Encoding | undefined,
): Promise<RenderedReply> {
  const isPlain = headers['Content-Encoding'] === undefined;
  const compressed = encoding && isPlain ? await compression.compress(body, encoding) : undefined;
  if (encoding === undefined || compressed === undefined) return { status, headers, body };
  return { status, headers: { ...headers, ...encodingHeaders(encoding) }, body: compressed };
}

function streamAnswer(
  { shares, compression }: Context,
  tenantId: string,
  { status, headers, body }: StreamedReply,
  encoding: Encoding | undefined,
): Reply {
  const pieces = inTurns(body, shares.long, tenantId);
  const compressed = encoding && compression.compressPieces(pieces, encoding);
  if (encoding === undefined || compressed === undefined) return { status, headers, body: pieces };
  return { status, headers: { ...headers, ...encodingHeaders(encoding) }, body: compressed };
}

/** Renders each piece in a slot of the tenant. The slot is free while the client reads the piece. */
async function* inTurns(
  pieces: AsyncIterable<string>,
  places: FairSlots,
  tenantId: string,
): AsyncGenerator<string> {
  const iterator = pieces[Symbol.asyncIterator]();
  for (;;) {
    const piece = await places.run(tenantId, () => iterator.next());
    if (piece.done === true) return;
    yield piece.value;
  }
}
