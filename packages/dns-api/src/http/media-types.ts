import { RequestRefused } from './request-refused.js';
import type { BodyKind } from './operation.js';

const JSON_ONLY = ['application/json'];
/** text/dns is RFC 4027's; people and tools also send text/plain. */
const ZONE_FILES = ['text/dns', 'text/plain', 'application/json'];

/** @throws RequestRefused 415 when the body's declared type is not one that the operation reads. */
export function requireContentType(kind: BodyKind, header: string | undefined): void {
  // Old clients may leave it out; then the body itself shows what it is.
  if (kind === 'none' || header === undefined) return;
  const accepted = kind === 'zone-file' ? ZONE_FILES : JSON_ONLY;
  if (accepted.includes(mediaType(header))) return;
  throw unsupported(
    `The Content-Type must be ${accepted.join(' or ')}, not ${JSON.stringify(header)}.`,
  );
}

/** @throws RequestRefused 415 for a compressed body: what it would unfold to is nobody's guess (RFC 9110 s8.4). */
export function requireNoEncoding(header: string | undefined): void {
  if (header === undefined || header.trim().toLowerCase() === 'identity') return;
  throw unsupported(
    `The body must come as it is, without the Content-Encoding ${JSON.stringify(header)}.`,
  );
}

function unsupported(message: string): RequestRefused {
  return new RequestRefused({ status: 415, type: 'unsupported_content_type' }, message);
}

/** @throws RequestRefused 406 when none of `offered` is acceptable (RFC 9110 s12.5.1). */
export function requireAcceptable(offered: readonly string[], header: string | undefined): void {
  if (header === undefined || header.trim() === '') return;
  const ranges = header.split(',').map(parseRange);
  if (offered.some((type) => qualityOf(type, ranges) > 0)) return;
  throw new RequestRefused(
    { status: 406, type: 'unsupported_accept' },
    `The answer comes as ${offered.join(' or ')}, which Accept ${JSON.stringify(header)} does not allow.`,
  );
}

/** The type without parameters, in lower case. */
export function mediaType(header: string): string {
  return (header.split(';')[0] ?? '').trim().toLowerCase();
}

interface MediaRange {
  readonly type: string;
  readonly quality: number;
}

function parseRange(text: string): MediaRange {
  const quality = /;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*(?:;|$)/i.exec(text)?.[1];
  return { type: mediaType(text), quality: quality === undefined ? 1 : Number(quality) };
}

/** The most specific range that matches decides (RFC 9110 s12.5.1). */
function qualityOf(type: string, ranges: readonly MediaRange[]): number {
  const group = `${type.split('/')[0] ?? ''}/*`;
  for (const candidate of [type, group, '*/*']) {
    const range = ranges.find((each) => each.type === candidate);
    if (range !== undefined) return range.quality;
  }
  return 0;
}
