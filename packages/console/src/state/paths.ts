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
    `${name.replace(/\.$/, '')}.zone`,
  ],
} as const;
