import { attribute, bareList, list, type Resource, type Shape } from '@zonewright/http-api';
import { V2_NAMESPACE, V3_NAMESPACE } from './namespaces.js';
import type { ApiVersion } from './api-version.js';

interface Link {
  readonly rel: string;
  readonly href: string;
}

/** `links` in JSON, `link` elements in XML. */
export const LINK: Shape<Link> = [
  attribute('rel', (link) => link.rel),
  attribute('href', (link) => link.href),
];

const MEDIA_TYPE: Shape<ApiVersion['mediaTypes'][number]> = [
  attribute('base', (mediaType) => mediaType.base),
  attribute('type', (mediaType) => mediaType.type),
];

const VERSION: Shape<ApiVersion> = [
  attribute('id', (version) => version.id),
  attribute('status', (version) => version.status),
  attribute('updated', (version) => version.updated),
  list('media-types', { name: 'media-type', shape: MEDIA_TYPE }, (version) => version.mediaTypes),
  bareList('links', { name: 'link', shape: LINK }, (version) => [
    { rel: 'self', href: version.selfUrl },
  ]),
];

export const API_VERSIONS: Resource<readonly ApiVersion[]> = {
  root: 'versions',
  namespace: V2_NAMESPACE,
  wrappedInJson: true,
  shape: [bareList('values', { name: 'version', shape: VERSION }, (versions) => versions)],
};

export const V2_VERSION: Resource<ApiVersion> = {
  root: 'version',
  namespace: V2_NAMESPACE,
  wrappedInJson: true,
  shape: VERSION,
};

export const V3_VERSION: Resource<ApiVersion> = { ...V2_VERSION, namespace: V3_NAMESPACE };
