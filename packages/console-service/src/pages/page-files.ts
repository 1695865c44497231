import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { SettingsError } from '@zonewright/service-kit';

/** File with everything that can be computed before the first request. */
export interface PageFile {
  readonly type: string;
  readonly etag: string;
  /** Whether the file name changes with the content. */
  readonly isImmutable: boolean;
  readonly plain: Buffer;
  /** Content by content coding, if it is smaller than `plain`. */
  readonly coded: Readonly<Partial<Record<'br' | 'gzip', Buffer>>>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.txt': 'text/plain; charset=utf-8',
};

/**
 * Reads the files of the pages, by path. The folder is small, so all of it is kept in memory. @throws SettingsError if
 * it does not exist
 */
export function readPageFiles(folder: string): ReadonlyMap<string, PageFile> {
  if (!existsSync(join(folder, 'index.html'))) {
    throw new SettingsError([
      `CONSOLE_FILES: ${folder} has no index.html; create it with \`npm run build\``,
    ]);
  }
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && TYPES[extname(entry.name)] !== undefined)
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    files.map((file) => [`/${relative(folder, file).split(sep).join('/')}`, readPageFile(file)]),
  );
}

function readPageFile(file: string): PageFile {
  const plain = readFileSync(file);
  const type = TYPES[extname(file)] ?? '';
  const coded = type.startsWith('image/png') ? {} : encode(plain);
  return {
    type,
    etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
    isImmutable: file.includes(`${sep}assets${sep}`),
    plain,
    coded,
  };
}

function encode(plain: Buffer): PageFile['coded'] {
  const br = brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
  const gzip = gzipSync(plain, { level: 9 });
  return br.length < plain.length ? { br, gzip } : {};
}
