import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { Refusal } from '../request/refusal.js';

type Unfold = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const UNFOLDERS: ReadonlyMap<string, Unfold> = new Map<string, Unfold>([
  ['identity', (bytes) => Promise.resolve(bytes)],
  ['gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

/** The function that undoes a Content-Encoding (RFC 9110 s8.4). @throws Refusal 415 for one that is not known. */
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

/** @throws Refusal 415 for a compressed body: what it would unfold to is nobody's guess. */
export function requireNotFolded(header: string | undefined): void {
  if (header === undefined || header.trim().toLowerCase() === 'identity') return;
  throw new Refusal('unsupported-encoding', { given: header });
}
