import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Metrics } from '../context/context.js';
import { requestOrigin } from '../context/origin.js';
import type { ConsoleSettings } from '../context/settings.js';
import type { PageFile } from './page-files.js';

interface PagesOptions {
  readonly files: ReadonlyMap<string, PageFile>;
  readonly settings: ConsoleSettings['http'];
  readonly metrics: Metrics;
}

/** Serves the requested file, or else the single page, which chooses its content by the URL. */
export function servePages({ files, settings, metrics }: PagesOptions): RequestListener {
  return (request, response) => {
    const startedAt = performance.now();
    response.on('close', () => {
      const seconds = (performance.now() - startedAt) / 1_000;
      const { method = '' } = request;
      metrics.requests.observe({ method, route: 'pages', status: response.statusCode, seconds });
    });
    const headers = pageHeaders(requestOrigin(request, settings).isSecure);
    for (const name in headers) response.setHeader(name, headers[name] ?? '');
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { Allow: 'GET, HEAD', Connection: 'close' }).end();
      return;
    }
    const file = findFile(files, request.url ?? '/');
    if (file === undefined) response.writeHead(404).end();
    else sendFile(file, request, response);
  };
}

function findFile(files: ReadonlyMap<string, PageFile>, target: string): PageFile | undefined {
  const [path = '/'] = target.split('?');
  // A missing script must not be answered with a page, which the browser would try to run.
  return files.get(path) ?? (path.startsWith('/assets/') ? undefined : files.get('/index.html'));
}

function sendFile(
  file: PageFile,
  { headers, method }: IncomingMessage,
  response: ServerResponse,
): void {
  response.setHeader('ETag', file.etag);
  // Without revalidation, an old page would request scripts that a new version no longer has.
  response.setHeader(
    'Cache-Control',
    file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
  );
  response.setHeader('Vary', 'Accept-Encoding');
  if (headers['if-none-match'] === file.etag) {
    response.writeHead(304).end();
    return;
  }
  const coding = (['br', 'gzip'] as const).find((each) =>
    isAccepted(headers['accept-encoding'], each),
  );
  const coded = coding && file.coded[coding];
  const body = coded ?? file.plain;
  response.writeHead(200, {
    'Content-Type': file.type,
    'Content-Length': body.length,
    ...(coded === undefined ? {} : { 'Content-Encoding': coding }),
  });
  response.end(method === 'HEAD' ? undefined : body);
}

function isAccepted(header: string | string[] | undefined, coding: string): boolean {
  return String(header ?? '')
    .split(',')
    .some((part) =>
      new RegExp(`^\\s*${coding}\\s*(;\\s*q=(1|0?\\.\\d*[1-9]\\d*))?\\s*$`).test(part),
    );
}

const ONE_YEAR_SECONDS = 31_536_000;

/** Policy of the pages, without unsafe sources. Tests of the console also run under it. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const UNUSED_FEATURES = [
  'camera',
  'geolocation',
  'microphone',
  'payment',
  'usb',
  'browsing-topics',
];

/** Returns the headers of every page and file. */
function pageHeaders(isSecure: boolean): Readonly<Record<string, string>> {
  return {
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cross-Origin-Embedder-Policy': 'require-corp',
    'Permissions-Policy': UNUSED_FEATURES.map((feature) => `${feature}=()`).join(', '),
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    ...(isSecure ? { 'Strict-Transport-Security': `max-age=${ONE_YEAR_SECONDS}` } : {}),
  };
}
