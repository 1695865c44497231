import { useInfiniteQuery } from '@tanstack/react-query';
import { clientOf } from '../../api/client.js';
import { keys, type ListedDomain } from '../../api/queries.js';

const PAGE_ROWS = 50;

/** Empty: each. */
interface Filter {
  readonly recordId: string;
  readonly name: string;
  readonly type: string;
  readonly user: string;
}

const NO_FILTER: Filter = { recordId: '', name: '', type: '', user: '' };

/** The steps of a domain, the newest first, a page at a time. */
export function useChangesets(
  projectId: string,
  domain: ListedDomain,
  { recordId, name, type, user }: Filter = NO_FILTER,
) {
  const query = useInfiniteQuery({
    queryKey: [...keys.inDomain(projectId, domain.id), 'history', recordId, name, type, user],
    initialPageParam: undefined as number | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const asked = {
        group: 'serial' as const,
        extended: true,
        limit: PAGE_ROWS,
        ...(recordId === '' ? {} : { record_id: recordId }),
        ...(name === '' ? {} : { name: wholeName(name, domain.name) }),
        ...(type === '' ? {} : { type }),
        ...(user === '' ? {} : { user_id: user }),
        ...(pageParam === undefined ? {} : { marker: pageParam }),
      };
      const { value } = await clientOf(projectId).call(
        'listChanges',
        { path: { domainId: domain.id }, query: asked },
        { signal },
      );
      return { steps: value.steps ?? [], begins: value.history_begins };
    },
    getNextPageParam: ({ steps }) => (steps.length < PAGE_ROWS ? undefined : steps.at(-1)?.id),
  });
  return { query, steps: query.data?.pages.flatMap((page) => page.steps) ?? [] };
}

function wholeName(typed: string, domain: string): string {
  if (typed === '@') return domain;
  if (typed.endsWith('.')) return typed;
  return `${typed}.`.endsWith(domain) ? `${typed}.` : `${typed}.${domain}`;
}
