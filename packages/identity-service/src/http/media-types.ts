import { MEDIA_TYPES } from '@zonewright/http-api';

/** Names of JSON. */
export const JSON_TYPES: readonly string[] = [
  MEDIA_TYPES.json,
  'application/vnd.openstack.identity-v3+json',
];

/** Names of the two formats: old clients label XML in either of two ways, and GET / tells of those with versions. */
export const FORMAT_TYPES: readonly string[] = [
  MEDIA_TYPES.json,
  MEDIA_TYPES.xml,
  'text/xml',
  'application/vnd.openstack.identity-v2.0+json',
  'application/vnd.openstack.identity-v2.0+xml',
  'application/vnd.openstack.identity-v3+json',
  'application/vnd.openstack.identity-v3+xml',
];
