import { Readable } from 'node:stream';
import { exportZone } from '@zonewright/zones';
import type { Context } from '../context/context.js';
import type { TenantRequest } from '../http/operation.js';
import type { ApiReply } from '../http/reply.js';

/** RFC 4027. */
export const ZONE_FILE_TYPE = 'text/dns';

/** Lines sent at a time. */
const LINES_PER_PIECE = 500;

/** A domain as a zone file; a long one is streamed. */
export async function exportZoneReply(
  { db }: Context,
  { caller, params }: TenantRequest,
): Promise<ApiReply> {
  const lines = await exportZone(db, caller, params['domainId'] ?? '');
  const head = { status: 200, headers: { 'Content-Type': ZONE_FILE_TYPE } };
  return lines.length <= LINES_PER_PIECE
    ? { ...head, body: lines.join('') }
    : { ...head, body: Readable.from(joined(lines)) };
}

function* joined(lines: readonly string[]): Generator<string> {
  for (let from = 0; from < lines.length; from += LINES_PER_PIECE) {
    yield lines.slice(from, from + LINES_PER_PIECE).join('');
  }
}
