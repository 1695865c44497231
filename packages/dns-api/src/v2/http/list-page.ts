import type { ListedPage, ListOrder } from '@zonewright/zones';
import type { StoredReply } from '../../http/reply.js';
import { type ListForm, readListQuery, unknownMarker } from './list-query.js';
import { listReply } from './list-reply.js';
import type { ProjectRequest } from './project-request.js';

/** A list of one kind of objects. */
interface ListSource<T, F extends string, K extends string> {
  /** The member of the answer that holds them. */
  readonly member: string;
  readonly form: ListForm<F, K>;
  /** Undefined: the marker is not in the list. */
  readonly fetch: (
    filters: Readonly<Partial<Record<F, string>>>,
    order: ListOrder<K>,
  ) => Promise<ListedPage<T> | undefined>;
  readonly render: (item: T) => unknown;
}

/** Answers a list as its query asks for it. */
export async function listPageReply<
  T extends { readonly id: string },
  F extends string,
  K extends string,
>(
  request: ProjectRequest,
  { member, form, fetch, render }: ListSource<T, F, K>,
): Promise<StoredReply> {
  const { filters, ...order } = readListQuery(request.query, form);
  const page = await fetch(filters, order);
  if (page === undefined) throw unknownMarker(order.marker ?? '');
  return await listReply(request, member, page, render);
}
