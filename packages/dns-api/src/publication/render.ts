import type { Publication } from './get-publication.js';

export function renderPublication(publication: Publication) {
  return {
    serial: publication.serial,
    state: publication.isPublished ? 'published' : 'pending',
    committed_at: publication.committedAt,
    nameservers: publication.nameservers.map(({ name, isApplied, isLive, moment }) => ({
      name,
      applied: isApplied,
      applied_at: moment?.appliedAt ?? null,
      delay_ms: moment?.delayMs ?? null,
      live: isLive,
    })),
  };
}
