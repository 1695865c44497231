import { isLate, type Publication } from './use-publication.js';

type Server = Publication['nameservers'][number];

/** State of a change at one nameserver. */
export type ServerState = 'applied' | 'waiting' | 'late' | 'silent';

export function stateOf({ applied, live }: Server, publication: Publication): ServerState {
  if (applied) return 'applied';
  if (!live) return 'silent';
  return isLate(publication) ? 'late' : 'waiting';
}
