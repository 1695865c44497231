import type { ListedDomain } from '../api/queries.js';

export interface ProjectScreenProps {
  readonly projectId: string;
}

/** Properties of a screen. The domain exists and belongs to the project. */
export interface DomainScreenProps extends ProjectScreenProps {
  readonly domain: ListedDomain;
}
