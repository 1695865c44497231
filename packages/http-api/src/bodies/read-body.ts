import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { FairSlots, Overload } from '@zonewright/service-kit';
import { Refusal } from '../messages/refusal.js';
import { inviteBody } from '../messages/unread-body.js';

interface BodyBounds {
  readonly maxBytes: number;
  /** Receives the size of each part. May throw if the body is too large. */
  readonly take?: ((octets: number) => void) | undefined;
}

/** @throws Refusal 413 as soon as more than `maxBytes` are announced or received. */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  { maxBytes, take }: BodyBounds,
): Promise<Buffer> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > maxBytes) throw tooLarge(maxBytes);
  // The client disconnected while its request waited.
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
        // The request is not destroyed, since the response still uses the connection.
        request.off('data', onData);
        request.pause();
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    };
    request.on('data', onData);
    request.on('end', resolve);
    // The client has disconnected and does not receive this response, so this is not an error of the service.
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

/**
 * Memory of request bodies while they arrive. Each body may be as large as its operation allows, and thousands of
 * clients may send one slowly. Owners (networks, users) share the memory.
 */
export class BodyBudget {
  readonly #bytes: FairSlots;

  constructor(maxBytes: number) {
    this.#bytes = new FairSlots({ total: maxBytes });
  }

  /** Counts the body of an owner while `read` reads it. `take` throws Overload if the owner has used up its share. */
  async count<T>(owner: string, read: (take: (bytes: number) => void) => Promise<T>): Promise<T> {
    let taken = 0;
    try {
      return await read((bytes) => {
        if (!this.#bytes.tryEnter(owner, { amount: bytes })) throw new Overload();
        taken += bytes;
      });
    } finally {
      if (taken > 0) this.#bytes.leave(owner, { amount: taken });
    }
  }
}

type Unfold = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const UNFOLDERS: ReadonlyMap<string, Unfold> = new Map<string, Unfold>([
  ['identity', (bytes) => Promise.resolve(bytes)],
  ['gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

/** Returns the function that decodes a Content-Encoding (RFC 9110 s8.4). @throws Refusal 415 for an unknown one. */
export function findUnfolder(header: string | undefined, maxBytes: number) {
  const unfold = UNFOLDERS.get(header?.trim().toLowerCase() ?? 'identity');
  if (unfold === undefined) throw new Refusal('unsupported-encoding', { given: header ?? '' });
  return async (bytes: Buffer): Promise<Buffer> => {
    try {
      return await unfold(bytes, { maxOutputLength: maxBytes });
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      throw code === 'ERR_BUFFER_TOO_LARGE'
        ? new Refusal('body-too-large', { most: maxBytes })
        : new Refusal('body-unreadable', { detail: message });
    }
  };
}

/** @throws Refusal 415 for a compressed body, whose real size is unknown. */
export function requireNotFolded(header: string | undefined): void {
  if (header === undefined || header.trim().toLowerCase() === 'identity') return;
  throw new Refusal('unsupported-encoding', { given: header });
}
