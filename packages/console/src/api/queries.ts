import { queryOptions, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Output } from '@zonewright/client';
import { clientOf } from './client.js';
import { refetch } from './query-client.js';
import { fetchProject, fetchSession } from './session.js';

export type ListedDomain = Output<'listDomains'>['domains'][number];

/** Cache keys of responses. A write refetches all keys that begin with the key of what it changed. */
export const keys = {
  session: ['session'] as const,
  project: (projectId: string) => ['p', projectId] as const,
  domains: (projectId: string) => ['p', projectId, 'domains'] as const,
  /** A URL may name a domain in another letter case than the service. */
  domain: (projectId: string, name: string) =>
    ['p', projectId, 'domain', name.toLowerCase()] as const,
  /** Prefix of all keys of one domain. */
  inDomain: (projectId: string, domainId: string) => ['p', projectId, 'in', domainId] as const,
};

export const sessionQuery = queryOptions({
  queryKey: keys.session,
  queryFn: fetchSession,
  staleTime: Number.POSITIVE_INFINITY,
});

export const projectQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...keys.project(projectId), 'roles'],
    queryFn: () => fetchProject(projectId),
    staleTime: 300_000,
  });

/** Query for a domain by its name, with the number of its records and its last change. Null if it does not exist. */
export const domainQuery = (projectId: string, name: string) =>
  queryOptions({
    queryKey: keys.domain(projectId, name),
    queryFn: async ({ signal }): Promise<ListedDomain | null> => {
      const query = { name: `${name}.`, extended: true };
      const { value } = await clientOf(projectId).call('listDomains', { query }, { signal });
      return value.domains[0] ?? null;
    },
  });

export function useDomain(projectId: string, name: string): UseQueryResult<ListedDomain | null> {
  return useQuery(domainQuery(projectId, name));
}

/** Refetches the domain lists and the given domains after a change to these domains. */
export async function refreshDomain(
  projectId: string,
  ...domainIds: readonly string[]
): Promise<void> {
  await Promise.all([
    refetch(keys.domains(projectId)),
    refetch([...keys.project(projectId), 'domain']),
    ...domainIds.map((id) => refetch(keys.inDomain(projectId, id))),
  ]);
}
