import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import type { Response } from 'express';
import type { Context } from '../context.js';
import type { TenantPlaces } from '../limits/tenant-places.js';
import type { ApiReply } from './reply.js';
import { traceOf } from './trace-request.js';

/** What a streamed answer has in memory: a piece that is made, and one that the client has not taken. */
const STREAM_OCTETS = 2 * 1_048_576;

/** Sends an answer; until its client has taken it, it counts for its tenant. */
export async function sendReply(
  { shares }: Context,
  response: Response,
  reply: ApiReply,
): Promise<void> {
  const { tenantId = '' } = traceOf(response);
  const { status, headers, body } = reply;
  const hold = (octets: number) => {
    // Its client is gone already, and nothing would tell that it is.
    if (response.destroyed) return;
    shares.answers.take(tenantId, octets);
    response.once('close', () => {
      shares.answers.giveBack(tenantId, octets);
    });
  };
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) {
    hold(STREAM_OCTETS);
    response.writeHead(status, headers);
    await pipeline(Readable.from(inTurns(body, shares.long, tenantId)), response);
    return;
  }
  const bytes = typeof body === 'string' ? Buffer.from(body, 'utf8') : body;
  hold(bytes.length);
  response.writeHead(status, { ...headers, 'Content-Length': bytes.length }).end(bytes);
}

/** Each piece is made at one of the tenant's places, which is free again while the client takes the piece. */
async function* inTurns(
  pieces: AsyncIterable<string>,
  places: TenantPlaces,
  tenantId: string,
): AsyncGenerator<string> {
  const iterator = pieces[Symbol.asyncIterator]();
  for (;;) {
    await places.enter(tenantId);
    let piece: IteratorResult<string>;
    try {
      piece = await iterator.next();
    } finally {
      places.leave(tenantId);
    }
    if (piece.done === true) return;
    yield piece.value;
  }
}
