import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import type { Output, ZoneRecord } from '@zonewright/client';
import { useEffect, useMemo } from 'react';
import { clientOf } from '../../api/client.js';
import { keys, type ListedDomain } from '../../api/queries.js';
import { queryClient } from '../../api/query-client.js';

export type ListedRecord = ZoneRecord;

const PAGE_ROWS = 1000;
/** Maximum number of records that the browser filters and sorts while the user types. */
export const MOST_RECORDS = 20_000;

/**
 * Loads the records of a domain, by name: the first page at once, the others as they arrive. If a domain has more than
 * `MOST_RECORDS`, the service filters them (`isFound`). The first records are shown until it responds.
 */
export function useRecords(projectId: string, domain: ListedDomain, wanted: string) {
  const all = usePages(projectId, domain, { q: '', isEnabled: true });
  const isLarge = (all.total ?? 0) > MOST_RECORDS;
  const found = usePages(projectId, domain, { q: wanted, isEnabled: isLarge && wanted !== '' });
  const isFound = isLarge && wanted !== '' && found.records !== undefined;
  return { ...(isFound ? found : all), total: all.total, isFound };
}

interface Page {
  readonly records: readonly ListedRecord[];
  readonly total: number | undefined;
}

const keyOf = (projectId: string, domainId: string, q: string) =>
  [...keys.inDomain(projectId, domainId), 'records', q] as const;

export type BatchResult = Output<'changeRecords'>;

/**
 * Shows the results of a batch in the list before it is refetched. @returns whether the list is complete: results of
 * deletions do not contain the record
 */
export function showResults(
  projectId: string,
  domainId: string,
  { results }: BatchResult,
): boolean {
  const rows = results.flatMap(({ action, record }) =>
    record ? [{ action, record: record as ListedRecord }] : [],
  );
  const written = new Map(rows.map(({ record }) => [record.id, record]));
  const created = rows.flatMap(({ action, record }) => (action === 'create' ? [record] : []));
  queryClient.setQueryData<InfiniteData<Page>>(keyOf(projectId, domainId, ''), (known) => {
    if (known === undefined) return known;
    const pages = known.pages.map(({ records, total }, at) => ({
      // New records come first, because the next page begins after the last record.
      records: [
        ...(at === 0 ? created : []),
        ...records.map((each) => written.get(each.id) ?? each),
      ],
      total: total === undefined ? undefined : total + created.length,
    }));
    return { ...known, pages };
  });
  return results.every(({ action }) => action !== 'delete');
}

interface Wish {
  /** Part of a name, of data or of a description. Empty means all records. */
  readonly q: string;
  readonly isEnabled: boolean;
}

function usePages(projectId: string, domain: ListedDomain, { q, isEnabled }: Wish) {
  const query = useInfiniteQuery({
    queryKey: keyOf(projectId, domain.id, q),
    enabled: isEnabled,
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const { value, total } = await clientOf(projectId).call(
        'listRecords',
        {
          path: { domainId: domain.id },
          query: {
            all_types: true,
            effective_ttl: true,
            extended: true,
            limit: PAGE_ROWS,
            sort: 'name',
            ...(q === '' ? {} : { q }),
            ...(pageParam === undefined ? { total: true } : { marker: pageParam }),
          },
        },
        { signal },
      );
      return { records: value.records as ZoneRecord[], total };
    },
    getNextPageParam: ({ records }, pages) =>
      records.length < PAGE_ROWS || pages.length * PAGE_ROWS >= MOST_RECORDS
        ? undefined
        : records.at(-1)?.id,
  });
  const { hasNextPage, isFetchingNextPage, isError, fetchNextPage } = query;
  useEffect(() => {
    if (isEnabled && hasNextPage && !isFetchingNextPage && !isError) void fetchNextPage();
  }, [isEnabled, hasNextPage, isFetchingNextPage, isError, fetchNextPage]);
  const records = useMemo(() => query.data?.pages.flatMap((page) => page.records), [query.data]);
  const { error, refetch } = query;
  return { error, refetch, records, total: query.data?.pages[0]?.total };
}
