import type { Exchange, Reply } from '@zonewright/http-api';
import type { Context } from '../context/context.js';
import type { TenantPlaces } from '../limits/tenant-places.js';
import type { ApiReply } from './reply.js';

/** What a streamed answer has in memory: a piece that is made, and one that the client has not taken. */
const STREAM_OCTETS = 2 * 1_048_576;

/** Counts an answer for its tenant until its client has taken it. */
export function holdAnswer(
  { shares }: Context,
  { response, logged }: Exchange,
  { status, headers, body }: ApiReply,
): Reply {
  const tenantId = String(logged['tenantId'] ?? '');
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
    return { status, headers, body: inTurns(body, shares.long, tenantId) };
  }
  const octets = typeof body === 'string' ? Buffer.from(body, 'utf8') : body;
  hold(octets.length);
  return { status, headers, body: octets };
}

/** Each piece is made at one of the tenant's places, which is free again while the client takes the piece. */
async function* inTurns(
  pieces: AsyncIterable<string>,
  places: TenantPlaces,
  tenantId: string,
): AsyncGenerator<string> {
  const iterator = pieces[Symbol.asyncIterator]();
  for (;;) {
    const piece = await places.run(tenantId, () => iterator.next());
    if (piece.done === true) return;
    yield piece.value;
  }
}
