import type { CatalogEndpoint, CatalogEntry } from '@zonewright/accounts';

/** Version 3 lists each URL of an endpoint by itself. */
export interface V3Endpoint {
  readonly id: string;
  readonly interface: string;
  readonly region: string;
  readonly url: string;
}

export interface V3Service {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly endpoints: readonly V3Endpoint[];
}

export function toV3Catalog(entries: readonly CatalogEntry[]): V3Service[] {
  return entries.map((entry) => ({
    id: entry.serviceId,
    type: entry.type,
    name: entry.name,
    endpoints: entry.endpoints.flatMap(toV3Endpoints),
  }));
}

function toV3Endpoints(endpoint: CatalogEndpoint): V3Endpoint[] {
  const { id, region, releaseState, publicUrl, internalUrl, adminUrl } = endpoint;
  const urls = [
    // Identity s1: the interface tells whether the endpoint is in public, beta or preview release state.
    [releaseState, publicUrl],
    ['internal', internalUrl],
    ['admin', adminUrl],
  ] as const;
  return urls.flatMap(([name, url]) =>
    url === undefined ? [] : [{ id, interface: name, region, url }],
  );
}
