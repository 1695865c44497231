import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';

export type Encoding = 'br' | 'gzip';

/** Smaller bodies fit into a few packets without compression. */
const MIN_OCTETS = 2_048;
/** Bodies compressed at a time. The pool has four threads that others need, too. Further bodies are sent uncompressed. */
const MAX_BODIES = 2;
/** The same for lists that are compressed while they are read; each has some megabytes. */
const MAX_STREAMS = 8;

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_PARAM_MODE, BROTLI_MODE_TEXT } = constants;
/**
 * Half of a compressed list is the random digits of its ids. They take four bits each if the window contains nothing similar. With
 * a window of 4 KiB, 10,000 records take 283 KB, with one of 256 KiB 326 KB. Either takes 50 ms of a core. Repeated text is in the item before.
 */
const BROTLI = {
  params: {
    [BROTLI_PARAM_QUALITY]: 4,
    [BROTLI_PARAM_LGWIN]: 12,
    [BROTLI_PARAM_MODE]: BROTLI_MODE_TEXT,
  },
};
/**
 * For the same reason 2 KiB: 280 KB of 10,000 records instead of 323 with the usual 32 KiB. A level above 6 would let texts of two letters,
 * which anybody may store, cost ten times the time.
 */
const GZIP = { level: 6, windowBits: 11 };
const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** The best of what Accept-Encoding allows (RFC 9110 s12.5.3); undefined: as it is. */
export function chooseEncoding(
  acceptEncoding: string | readonly string[] | undefined = '',
): Encoding | undefined {
  const allowed = new Set<string>();
  for (const each of String(acceptEncoding).toLowerCase().split(',')) {
    const [coding = '', ...parameters] = each.split(';').map((part) => part.trim());
    if (!parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))) allowed.add(coding);
  }
  if (allowed.has('br')) return 'br';
  return allowed.has('gzip') ? 'gzip' : undefined;
}

/** Headers of a compressed response. The ETag stays, since the content is the same. */
export function encodingHeaders(encoding: Encoding): Readonly<Record<string, string>> {
  return { 'Content-Encoding': encoding, Vary: 'Accept-Encoding' };
}

export function isWorthCompressing(octets: number): boolean {
  return octets >= MIN_OCTETS;
}

/**
 * Compresses lists beside the event loop, a few at a time: when there is no place they leave as they are, so that it bounds what
 * it costs by itself. An answer that can hold a secret is never compressed (D-ZONE-62).
 */
export class Compression {
  #bodies = 0;
  #streams = 0;

  /** The body compressed; undefined: it is short, or nobody has time for it. */
  async compress(body: Buffer, encoding: Encoding): Promise<Buffer | undefined> {
    if (!isWorthCompressing(body.length) || this.#bodies >= MAX_BODIES) return undefined;
    this.#bodies += 1;
    try {
      return await (encoding === 'br' ? compressBrotli(body, BROTLI) : compressGzip(body, GZIP));
    } finally {
      this.#bodies -= 1;
    }
  }

  /** The same for pieces. */
  compressPieces(
    pieces: AsyncIterable<string>,
    encoding: Encoding,
  ): AsyncIterable<Buffer> | undefined {
    return this.#streams >= MAX_STREAMS ? undefined : this.#flow(pieces, encoding);
  }

  async *#flow(pieces: AsyncIterable<string>, encoding: Encoding): AsyncGenerator<Buffer> {
    this.#streams += 1;
    const compressor = encoding === 'br' ? createBrotliCompress(BROTLI) : createGzip(GZIP);
    const source = Readable.from(pieces);
    // Its errors come out of the compressor, which they destroy.
    pipeline(source, compressor, () => undefined);
    try {
      for await (const piece of compressor) yield piece as Buffer;
    } finally {
      source.destroy();
      compressor.destroy();
      this.#streams -= 1;
    }
  }
}
