import { mapInSlices } from '@zonewright/service-kit';
import { jsonTextReply, type StoredReply } from '../../http/reply.js';
import type { ProjectRequest } from './project-request.js';

/** A page of a list, as it was read. */
export interface ListPage<T extends { readonly id: string }> {
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
