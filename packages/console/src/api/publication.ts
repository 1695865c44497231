import { queryOptions, useQuery } from '@tanstack/react-query';
import type { DnsEvent, Output } from '@zonewright/client';
import { clientOf } from './client.js';
import { keys } from './queries.js';
import { queryClient, refetch } from './query-client.js';

export type Publication = Output<'getPublication'>;

type PublicationEvent = Extract<DnsEvent, { event: 'publication' }>['data'];

/** Time in milliseconds after which a nameserver without the change counts as late. */
const LATE_MS = 2_000;
/** Pause between queries while some nameservers do not respond. They may come back. */
const SILENT_PAUSE_MS = 10_000;

/**
 * Returns the pause before the next query. Queries are frequent at first, since most changes are published within 50
 * ms.
 */
function pauseAfter(age: number): number {
  if (age < 1_000) return 60;
  return age < 10_000 ? 500 : 2_000;
}

const keyOf = (projectId: string, domainId: string, serial: number) =>
  [...keys.project(projectId), 'publication', domainId, serial] as const;

/** Shows the event of a change in its meter at once, and refetches the delays. */
export function rememberPublication(projectId: string, told: PublicationEvent): void {
  const key = keyOf(projectId, told.domain_id, told.serial);
  const known = queryClient.getQueryData<Publication>(key);
  if (known === undefined || known.state === 'published') return;
  const nameservers = known.nameservers.map((server) => ({
    ...server,
    ...told.nameservers.find(({ name }) => name === server.name),
  }));
  // The state is not set to `published` yet: that would stop the queries, whose response contains the delays.
  queryClient.setQueryData<Publication>(key, {
    ...known,
    applied: told.applied,
    live: told.live,
    nameservers,
  });
  if (told.state === 'published') void refetch(key);
}

/** Publication of a change. Polls until all responding nameservers have it. */
export const publicationQuery = (projectId: string, domainId: string, serial: number) =>
  queryOptions({
    queryKey: keyOf(projectId, domainId, serial),
    queryFn: async ({ signal }) =>
      await clientOf(projectId).domains.publication(domainId, serial, { signal }),
    refetchInterval: ({ state: { data, error } }) => {
      if (error !== null) return 5_000;
      if (data === undefined) return false;
      if (data.state === 'published') return data.applied < data.total ? SILENT_PAUSE_MS : false;
      return pauseAfter(ageOf(data));
    },
  });

export function usePublication(projectId: string, domainId: string, serial: number) {
  return useQuery(publicationQuery(projectId, domainId, serial));
}

export function ageOf({ committed_at: at }: Publication): number {
  return Date.now() - Date.parse(`${at.slice(0, 23)}Z`);
}

export function isLate(publication: Publication): boolean {
  return publication.state !== 'published' && ageOf(publication) > LATE_MS;
}

type Server = Publication['nameservers'][number];

/** State of a change at one nameserver. */
export type ServerState = 'applied' | 'waiting' | 'late' | 'silent';

export function stateOf({ applied, live }: Server, publication: Publication): ServerState {
  if (applied) return 'applied';
  if (!live) return 'silent';
  return isLate(publication) ? 'late' : 'waiting';
}
