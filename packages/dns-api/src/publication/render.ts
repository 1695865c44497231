import type { Publication } from '@zonewright/zones';
import { stateOf } from '../steps/publication-state.js';

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
