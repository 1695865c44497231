import type { Endpoint, Service } from '@zonewright/accounts';

/** Keystone's services have one type; ours may stand in the catalog under several. */
export function renderService(service: Service, baseUrl: string) {
  return {
    id: service.id,
    name: service.name,
    type: service.types[0] ?? '',
    types: service.types,
    description: '',
    enabled: service.enabled,
    links: { self: `${baseUrl}/v3/services/${encodeURIComponent(service.id)}` },
  };
}

/** Version 3 lists each URL of an endpoint by itself; the public one has the id that the catalog shows for all. */
export function toListedEndpoints(endpoint: Endpoint, baseUrl: string) {
  const { id, serviceId, region, enabled, releaseState, publicUrl, internalUrl, adminUrl } =
    endpoint;
  const urls = [
    [id, releaseState, publicUrl],
    [`${id}.internal`, 'internal', internalUrl],
    [`${id}.admin`, 'admin', adminUrl],
  ] as const;
  return urls.flatMap(([listedId, name, url]) => {
    if (url === null) return [];
    return {
      id: listedId,
      service_id: serviceId,
      interface: name,
      region,
      region_id: region,
      url,
      enabled,
      links: { self: `${baseUrl}/v3/endpoints/${encodeURIComponent(listedId)}` },
    };
  });
}

export function renderRegion(name: string, baseUrl: string) {
  return {
    id: name,
    description: '',
    parent_region_id: null,
    links: { self: `${baseUrl}/v3/regions/${encodeURIComponent(name)}` },
  };
}
