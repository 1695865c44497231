import { useInfiniteQuery } from '@tanstack/react-query';
import type { Output } from '@zonewright/client';
import { useEffect, useMemo } from 'react';
import { clientOf } from '../../api/client.js';
import { keys, type ListedDomain } from '../../api/queries.js';

export type ListedRecord = Output<'listRecords'>['records'][number];

const PAGE_ROWS = 1000;
/** As many as a browser filters and sorts while one types; of larger domains these are the first. */
export const MOST_RECORDS = 20_000;

/** All records of a domain, by name: the first page at once, the others as they come. */
export function useRecords(projectId: string, domain: ListedDomain) {
  const query = useInfiniteQuery({
    queryKey: [...keys.inDomain(projectId, domain.id), 'records'],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const { value, total } = await clientOf(projectId).call(
        'listRecords',
        {
          path: { domainId: domain.id },
          query: {
            all_types: true,
            effective_ttl: true,
            limit: PAGE_ROWS,
            sort: 'name',
            ...(pageParam === undefined ? { total: true } : { marker: pageParam }),
          },
        },
        { signal },
      );
      return { records: value.records, total };
    },
    getNextPageParam: ({ records }, pages) =>
      records.length < PAGE_ROWS || pages.length * PAGE_ROWS >= MOST_RECORDS
        ? undefined
        : records.at(-1)?.id,
  });
  const { hasNextPage, isFetchingNextPage, isError, fetchNextPage } = query;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && !isError) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isError, fetchNextPage]);
  const records = useMemo(() => query.data?.pages.flatMap((page) => page.records), [query.data]);
  return { ...query, records, total: query.data?.pages[0]?.total };
}
