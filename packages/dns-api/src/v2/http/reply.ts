import { mapInSlices } from '@zonewright/service-kit';
import type { UnitOfWork } from '@zonewright/zones';
import type { Context } from '../../context/context.js';
import { jsonReply, jsonTextReply, type StoredReply } from '../../http/reply.js';
import { write, type Written } from '../../http/write.js';
import type { ProjectRequest } from './request.js';

type Headers = Readonly<Record<string, string>>;

/** Returns 202: the change is stored, but not published yet. */
export function acceptedReply(body: unknown, headers: Headers = {}): StoredReply {
  return { ...jsonReply(body, headers), status: 202 };
}

export function createdReply(body: unknown, headers: Headers = {}): StoredReply {
  return { ...jsonReply(body, headers), status: 201 };
}

export function noContentReply(): StoredReply {
  return { status: 204, headers: {}, body: '' };
}

export function movedReply(location: string): StoredReply {
  return { status: 301, headers: { Location: location }, body: '' };
}

interface ListPage<T extends { readonly id: string }> {
  readonly items: readonly T[];
  /** Whether more items follow. */
  readonly isCut: boolean;
  /** Id of the last item that was read. Undefined means the last of `items`. */
  readonly lastId?: string | undefined;
  /** Place of that item in the list, for the case that it is deleted before the next page is read. */
  readonly lastPosition?: string | undefined;
  /** Number of items in the whole list. Undefined if it is not counted. */
  readonly totalCount?: number | undefined;
}

/** Renders a page of a list: items, links to this page and the next one, and the total number. */
export async function listReply<T extends { readonly id: string }>(
  request: ProjectRequest,
  member: string,
  { items, isCut, lastId, lastPosition, totalCount }: ListPage<T>,
  render: (item: T) => unknown,
): Promise<StoredReply> {
  const texts = await mapInSlices(items, (item) => JSON.stringify(render(item)));
  const rest = JSON.stringify({
    links: linksOf(request, isCut ? (lastId ?? items.at(-1)?.id) : undefined, lastPosition),
    metadata: totalCount === undefined ? {} : { total_count: totalCount },
  });
  return jsonTextReply(`{${JSON.stringify(member)}:[${texts.join(',')}],${rest.slice(1)}`);
}

/**
 * Keeps the items with the given status and action, which are not columns. The page gets shorter, its end stays the
 * same, and there is no total number.
 */
export function narrowByStatus<T extends Shown>(
  { items, isCut, lastPosition, totalCount }: ListPage<T>,
  {
    status,
    action,
  }: { readonly status?: string | undefined; readonly action?: string | undefined },
): ListPage<T> {
  if (status === undefined && action === undefined)
    return { items, isCut, lastPosition, totalCount };
  const isWanted = (item: T) =>
    (status === undefined || item.status === status.toUpperCase()) &&
    (action === undefined || item.action === action.toUpperCase());
  return { items: items.filter(isWanted), isCut, lastId: items.at(-1)?.id, lastPosition };
}

interface Shown {
  readonly id: string;
  readonly status: string;
  readonly action: string;
}

export function linkOf({ baseUrl }: ProjectRequest, path: string): { readonly self: string } {
  return { self: `${baseUrl}/v2/${path}` };
}

function linksOf(
  { baseUrl, target, query }: ProjectRequest,
  last: string | undefined,
  position: string | undefined,
) {
  const self = `${baseUrl}${target}`;
  if (last === undefined) return { self };
  const next = new URLSearchParams(query);
  next.set('marker', last);
  next.delete('position');
  if (position !== undefined) next.set('position', position);
  return { self, next: `${baseUrl}${target.split('?')[0] ?? ''}?${next.toString()}` };
}

/**
 * Performs a write as v1 does (dry_run, Idempotency-Key, Prefer). If the client waited for the publication, it gets the
 * published object and need not poll.
 */
export async function writeV2(
  context: Context,
  request: ProjectRequest,
  perform: (work: UnitOfWork) => Promise<Written>,
): Promise<StoredReply> {
  return showPublished(await write(context, request, perform));
}

/** Shows an object as published if its client has waited for that. */
export function showPublished(reply: StoredReply): StoredReply {
  const isPublished = reply.headers['X-Zonewright-Publication']?.startsWith('published') === true;
  if (!isPublished || reply.body === '') return reply;
  const body = JSON.parse(reply.body) as { status?: string; action?: string };
  // A deleted object keeps its status and action.
  if (body.status !== 'PENDING' || body.action === 'DELETE') return reply;
  return { ...reply, body: JSON.stringify({ ...body, status: 'ACTIVE', action: 'NONE' }) };
}
