import { mapInSlices } from '@zonewright/service-kit';
import type { UnitOfWork } from '@zonewright/zones';
import type { Context } from '../../context/context.js';
import { jsonReply, jsonTextReply, type StoredReply } from '../../http/reply.js';
import { write, type Written } from '../../http/write.js';
import type { ProjectRequest } from './request.js';

type Headers = Readonly<Record<string, string>>;

/** 202: it is done here, and on its way to the nameservers. */
export function acceptedReply(body: unknown, headers: Headers = {}): StoredReply {
  return { ...jsonReply(body, headers), status: 202 };
}

/** 201 with what was created. */
export function createdReply(body: unknown, headers: Headers = {}): StoredReply {
  return { ...jsonReply(body, headers), status: 201 };
}

/** 204 without a body. */
export function noContentReply(): StoredReply {
  return { status: 204, headers: {}, body: '' };
}

/** 301 to where it stands. */
export function movedReply(location: string): StoredReply {
  return { status: 301, headers: { Location: location }, body: '' };
}

/** A page of a list, as it was read. */
interface ListPage<T extends { readonly id: string }> {
  readonly items: readonly T[];
  /** Whether there is more behind it. */
  readonly isCut: boolean;
  /** The last that was looked at; undefined: the last of the items. */
  readonly lastId?: string | undefined;
  /** How many items the whole list has; undefined where nobody counts them. */
  readonly totalCount?: number | undefined;
}

/** The answer to a list: its items, the links to this page and the next one, and how many there are in all. */
export async function listReply<T extends { readonly id: string }>(
  request: ProjectRequest,
  member: string,
  { items, isCut, lastId, totalCount }: ListPage<T>,
  render: (item: T) => unknown,
): Promise<StoredReply> {
  const texts = await mapInSlices(items, (item) => JSON.stringify(render(item)));
  const rest = JSON.stringify({
    links: linksOf(request, isCut ? (lastId ?? items.at(-1)?.id) : undefined),
    metadata: totalCount === undefined ? {} : { total_count: totalCount },
  });
  return jsonTextReply(`{${JSON.stringify(member)}:[${texts.join(',')}],${rest.slice(1)}`);
}

/**
 * The items of a page that have this status and action, which no column says: the page is shorter then, and its end is where it
 * was. How many there are in all, nobody counts.
 */
export function narrowByStatus<T extends Shown>(
  { items, isCut, totalCount }: ListPage<T>,
  {
    status,
    action,
  }: { readonly status?: string | undefined; readonly action?: string | undefined },
): ListPage<T> {
  if (status === undefined && action === undefined) return { items, isCut, totalCount };
  const isWanted = (item: T) =>
    (status === undefined || item.status === status.toUpperCase()) &&
    (action === undefined || item.action === action.toUpperCase());
  return { items: items.filter(isWanted), isCut, lastId: items.at(-1)?.id };
}

interface Shown {
  readonly id: string;
  readonly status: string;
  readonly action: string;
}

/** Links of one object. */
export function linkOf({ baseUrl }: ProjectRequest, path: string): { readonly self: string } {
  return { self: `${baseUrl}/v2/${path}` };
}

function linksOf({ baseUrl, target, query }: ProjectRequest, last: string | undefined) {
  const self = `${baseUrl}${target}`;
  if (last === undefined) return { self };
  const next = new URLSearchParams(query);
  next.set('marker', last);
  return { self, next: `${baseUrl}${target.split('?')[0] ?? ''}?${next.toString()}` };
}

/**
 * Answers a request that changes something, as v1 does (dry_run, Idempotency-Key, Prefer). If the client waited for the
 * publication, it gets the published object and need not poll.
 */
export async function writeV2(
  context: Context,
  request: ProjectRequest,
  perform: (work: UnitOfWork) => Promise<Written>,
): Promise<StoredReply> {
  const reply = await write(context, request, perform);
  const isPublished = reply.headers['X-Zonewright-Publication']?.startsWith('published') === true;
  return isPublished && reply.body !== '' ? asPublished(reply) : reply;
}

function asPublished(reply: StoredReply): StoredReply {
  const body = JSON.parse(reply.body) as { status?: string; action?: string };
  // A deleted object keeps its status and action.
  if (body.status !== 'PENDING' || body.action === 'DELETE') return reply;
  return { ...reply, body: JSON.stringify({ ...body, status: 'ACTIVE', action: 'NONE' }) };
}
