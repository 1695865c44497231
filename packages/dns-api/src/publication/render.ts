import type { Publication, PublicationCount } from '@zonewright/zones';

export function renderPublication(publication: Publication) {
  return {
    serial: publication.serial,
    state: stateOf(publication.count),
    committed_at: publication.committedAt,
    applied: publication.count.applied,
    live: publication.count.live,
    total: publication.count.total,
    nameservers: publication.nameservers.map(({ name, isApplied, isLive, moment }) => ({
      name,
      applied: isApplied,
      applied_at: moment?.appliedAt ?? null,
      delay_ms: moment?.delayMs ?? null,
      live: isLive,
    })),
  };
}

/**
 * The same on an answer that waited: as a token with parameters (RFC 9651 s3.3), and in the shorter form that came first, which
 * cannot tell nameservers that are late from those that are switched off.
 */
export function renderPublicationHeaders(count: PublicationCount): Record<string, string> {
  const { applied, live, total } = count;
  return {
    'X-Zonewright-Published': `${applied}/${total}`,
    'X-Zonewright-Publication': `${stateOf(count)}; applied=${applied}; live=${live}; total=${total}`,
  };
}

function stateOf({ isPublished }: PublicationCount): 'published' | 'pending' {
  return isPublished ? 'published' : 'pending';
}
