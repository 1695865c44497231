import type { ApiReply, StoredReply } from './reply.js';

/** Whether the client has what is tagged so (RFC 9110 s13.1.2: weakly compared). */
export function isNotModified(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return (
    ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((tag) => opaque(tag) === opaque(etag))
  );
}

/** 304: the client goes on with what it has. */
export function notModifiedReply(etag: string): StoredReply {
  return { status: 304, headers: { ETag: etag }, body: '' };
}

/** The answer to a GET, or that it is the one that the client has. */
export function unlessNotModified(ifNoneMatch: string | undefined, reply: ApiReply): ApiReply {
  const { status, headers } = reply;
  const etag = headers['ETag'];
  if (status !== 200 || etag === undefined || !isNotModified(ifNoneMatch, etag)) return reply;
  return notModifiedReply(etag);
}
