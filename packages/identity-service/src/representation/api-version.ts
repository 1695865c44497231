/** A version of the API as clients discover it (decisions 2, Versions). */
export interface ApiVersion {
  readonly id: string;
  readonly status: string;
  readonly updated: string;
  readonly mediaTypes: readonly { readonly base: string; readonly type: string }[];
  readonly selfUrl: string;
}

const VERSIONS = [
  { id: 'v2.0', path: '/v2.0/', media: 'identity-v2.0', updated: '2014-04-17T00:00:00Z' },
  { id: 'v3', path: '/v3/', media: 'identity-v3', updated: '2014-04-17T00:00:00Z' },
] as const;

type VersionId = (typeof VERSIONS)[number]['id'];

export function listApiVersions(baseUrl: string): ApiVersion[] {
  return VERSIONS.map(({ id, path, media, updated }) => ({
    id,
    // Identity s9.
    status: 'CURRENT',
    updated,
    mediaTypes: ['json', 'xml'].map((format) => ({
      base: `application/${format}`,
      type: `application/vnd.openstack.${media}+${format}`,
    })),
    selfUrl: baseUrl + path,
  }));
}

export function getApiVersion(baseUrl: string, id: VersionId): ApiVersion {
  const version = listApiVersions(baseUrl).find((known) => known.id === id);
  if (version === undefined) throw new Error(`version ${id} is not described`);
  return version;
}
