/** URLs of the console. They are built only here. */
const project = (projectId: string) => `/p/${encodeURIComponent(projectId)}`;
const domain = (projectId: string, name: string) =>
  `${project(projectId)}/domains/${encodeURIComponent(name.replace(/\.$/, ''))}`;

export const paths = {
  projects: () => '/',
  domains: (projectId: string) => `${project(projectId)}/domains`,
  records: domain,
  history: (projectId: string, name: string) => `${domain(projectId, name)}/history`,
  publish: (projectId: string, name: string) => `${domain(projectId, name)}/publish`,
  health: (projectId: string, name: string) => `${domain(projectId, name)}/health`,
  test: (projectId: string, name: string) => `${domain(projectId, name)}/test`,
  settings: (projectId: string, name: string) => `${domain(projectId, name)}/settings`,
  keys: (projectId: string) => `${project(projectId)}/keys`,
  usage: (projectId: string) => `${project(projectId)}/usage`,
  members: (projectId: string) => `${project(projectId)}/members`,
  operator: (projectId: string) => `${project(projectId)}/operator`,
  account: (projectId: string) => `${project(projectId)}/account`,
  /** URL and suggested name of a zone file. */
  zoneFile: (
    projectId: string,
    { id, name }: { readonly id: string; readonly name: string },
  ): readonly [url: string, name: string] => [
    `/api/${encodeURIComponent(projectId)}/dns/v1/domains/${id}/zonefile`,
    zoneFileName(name),
  ],
} as const;

/** Returns the domain name in a segment of a path. The router leaves the slash of a name escaped (RFC 2317). */
export function readSegment(segment: string): string {
  return segment.replaceAll(/%2f/gi, '/');
}

/**
 * Returns the file name of a zone. A label may contain a slash (RFC 2317), which must not become a folder. Different
 * names get different file names.
 */
export function zoneFileName(name: string): string {
  return `${encodeURIComponent(name.replace(/\.$/, ''))}.zone`;
}
