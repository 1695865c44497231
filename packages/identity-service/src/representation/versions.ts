import {
  attribute,
  bareList,
  element,
  list,
  type Resource,
  type Shape,
} from '@zonewright/http-api';
import { EXTENSION_NAMESPACE, V2_NAMESPACE, V3_NAMESPACE } from './namespaces.js';

interface Link {
  readonly rel: string;
  readonly href: string;
}

/** Link, as `links` in JSON and `link` elements in XML. */
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

/** Vendor extension under one of its path segments. */
export interface Extension {
  readonly alias: string;
  readonly selfUrl: string;
}

const EXTENSION: Shape<Extension> = [
  attribute('name', () => 'Identity Management Extension'),
  attribute('namespace', () => EXTENSION_NAMESPACE),
  attribute('alias', (extension) => extension.alias),
  attribute('updated', () => '2014-04-17T00:00:00Z'),
  element('description', () => 'User access keys, authentication with them, and revoking tokens.'),
  bareList('links', { name: 'link', shape: LINK }, (extension) => [
    { rel: 'self', href: extension.selfUrl },
  ]),
];

export const EXTENSIONS_RESOURCE: Resource<readonly Extension[]> = {
  root: 'extensions',
  namespace: V2_NAMESPACE,
  wrappedInJson: true,
  shape: [bareList('values', { name: 'extension', shape: EXTENSION }, (extensions) => extensions)],
};

export const EXTENSION_RESOURCE: Resource<Extension> = {
  root: 'extension',
  namespace: V2_NAMESPACE,
  wrappedInJson: true,
  shape: EXTENSION,
};

/** Version of the API for discovery (D-ID-40). */
interface ApiVersion {
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
    // The status is defined in Identity s9.
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
