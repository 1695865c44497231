import type { IncomingMessage, ServerResponse } from 'node:http';
import { Refusal } from '../request/refusal.js';
import { inviteBody } from '../request/unread-body.js';

interface BodyBounds {
  readonly maxBytes: number;
  /** Told of each part that arrives; it may throw to say that this is too much. */
  readonly take?: ((octets: number) => void) | undefined;
}

/** @throws Refusal 413 as soon as more than `maxBytes` are announced or have come. */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  { maxBytes, take }: BodyBounds,
): Promise<Buffer> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > maxBytes) throw tooLarge(maxBytes);
  // The client went away while its request waited.
  if (request.destroyed && !request.complete) throw new Refusal('body-broken-off');
  inviteBody(request, response);
  const chunks: Buffer[] = [];
  let length = 0;
  await new Promise<void>((resolve, reject) => {
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      try {
        if (length > maxBytes) throw tooLarge(maxBytes);
        take?.(chunk.length);
        chunks.push(chunk);
      } catch (error) {
        // Not destroyed: the answer still has to leave by this connection.
        request.off('data', onData);
        request.pause();
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    };
    request.on('data', onData);
    request.on('end', resolve);
    // In the middle of it; nobody sees this answer, and it is nobody's mistake here.
    const breakOff = () => {
      if (!request.complete) reject(new Refusal('body-broken-off'));
    };
    request.on('error', breakOff);
    request.on('close', breakOff);
  });
  return Buffer.concat(chunks);
}

function tooLarge(maxBytes: number): Refusal {
  return new Refusal('body-too-large', { most: maxBytes });
}
