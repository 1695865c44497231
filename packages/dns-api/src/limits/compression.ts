import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';

export type Encoding = 'br' | 'gzip';

/** The minimum size to compress: smaller bodies fit into a few packets uncompressed. */
const MIN_OCTETS = 2_048;
/**
 * The limit of bodies that are compressed at a time. The thread pool has four threads, which other work needs, too.
 * Further bodies are sent uncompressed.
 */
const MAX_BODIES = 2;
/** The limit of streamed lists that are compressed at a time, each of which takes some megabytes. */
const MAX_STREAMS = 8;

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_PARAM_MODE, BROTLI_MODE_TEXT } = constants;
/**
 * Half of a compressed list consists of the random digits of ids. Each digit takes four bits if the window contains
 * nothing similar. With a window of 4 KiB, 10,000 records take 283 KB, with 256 KiB 326 KB; both take 50 ms of CPU.
 * Repeated text is found in the previous item.
 */
const BROTLI = {
  params: {
    [BROTLI_PARAM_QUALITY]: 4,
    [BROTLI_PARAM_LGWIN]: 12,
    [BROTLI_PARAM_MODE]: BROTLI_MODE_TEXT,
  },
};
/**
 * The window of 2 KiB has the same reason: 10,000 records take 280 KB, but 323 KB with the default of 32 KiB. With a
 * level above 6, texts of two letters, which anybody may store, would cost ten times the time.
 */
const GZIP = { level: 6, windowBits: 11 };
const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Returns the best coding that Accept-Encoding allows (RFC 9110, section 12.5.3), or undefined if it allows none. */
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

/** Returns the headers of a compressed response. The ETag stays the same, because the content does. */
export function encodingHeaders(encoding: Encoding): Readonly<Record<string, string>> {
  return { 'Content-Encoding': encoding, Vary: 'Accept-Encoding' };
}

export function isWorthCompressing(octets: number): boolean {
  return octets >= MIN_OCTETS;
}

/**
 * Compresses lists outside of the event loop, a few at a time. Without a free slot a list is sent uncompressed, so
 * the cost is bounded. A response that can contain a secret is never compressed (D-ZONE-62).
 */
export class Compression {
  #bodies = 0;
  #streams = 0;

  /** Returns the compressed body, or undefined if it is short or no slot is free. */
  async compress(body: Buffer, encoding: Encoding): Promise<Buffer | undefined> {
    if (!isWorthCompressing(body.length) || this.#bodies >= MAX_BODIES) return undefined;
    this.#bodies += 1;
    try {
      return await (encoding === 'br' ? compressBrotli(body, BROTLI) : compressGzip(body, GZIP));
    } finally {
      this.#bodies -= 1;
    }
  }

  /** Compresses a stream. */
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
    // Errors of the source are emitted by the compressor, which they destroy.
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
