import type { ListedDomain } from '../api/queries.js';

/** What a screen of a project is given. */
export interface ProjectScreenProps {
  readonly projectId: string;
}

/** What a screen of a domain is given: the domain is there, and is the project's. */
export interface DomainScreenProps extends ProjectScreenProps {
  readonly domain: ListedDomain;
}
