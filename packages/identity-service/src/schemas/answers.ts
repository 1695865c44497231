import {
  APPLICATION_CREDENTIAL,
  APPLICATION_CREDENTIALS,
} from '../representation/application-credential.js';
import { ACCESS_KEY, ACCESS_KEYS as ACCESS_KEY_LIST } from '../representation/access-key.js';
import { ACCESS, ACCESS_WITHOUT_CATALOG, ENDPOINTS } from '../representation/access.js';
import { represent, type Representation, type Resource } from '@zonewright/http-api';
import { TENANTS as TENANT_LIST } from '../representation/tenants.js';
import { V3_CATALOG, V3_PROJECTS, V3_TOKEN } from '../representation/v3-token.js';
import {
  API_VERSIONS,
  EXTENSION_RESOURCE,
  EXTENSIONS_RESOURCE,
  listApiVersions,
  V2_VERSION,
  V3_VERSION,
} from '../representation/versions.js';
import { ACCESS_KEYS, ACCESSES, CATALOG, CREDENTIALS, TENANTS, V3_ACCESSES } from './samples.js';

const BASE_URL = 'https://identity.example.net';
const VERSIONS = listApiVersions(BASE_URL);
const EXTENSIONS = ['EXT-IDM', 'HP-IDM'].map((alias) => ({
  alias,
  selfUrl: `${BASE_URL}/v2.0/extensions/${alias}`,
}));
const PROJECTS = TENANTS.map((tenant) => ({
  tenant,
  selfUrl: `${BASE_URL}/v3/projects/${tenant.id}`,
}));

/** Response bodies by the name of their schema. They are rendered from the samples. */
export const ANSWERS = {
  Access: writeAll(ACCESS, ACCESSES),
  AccessWithoutCatalog: writeAll(ACCESS_WITHOUT_CATALOG, ACCESSES),
  AccessKey: writeAll(ACCESS_KEY, ACCESS_KEYS),
  AccessKeys: writeAll(ACCESS_KEY_LIST, [ACCESS_KEYS]),
  Endpoints: writeAll(ENDPOINTS, [CATALOG]),
  Tenants: writeAll(TENANT_LIST, [
    { tenants: TENANTS, nextUrl: `${BASE_URL}/v2.0/tenants?limit=2&marker=72020596871801` },
    { tenants: TENANTS, nextUrl: undefined },
  ]),
  Versions: writeAll(API_VERSIONS, [VERSIONS]),
  Version2: writeAll(V2_VERSION, VERSIONS.slice(0, 1)),
  Version3: writeAll(V3_VERSION, VERSIONS.slice(1)),
  Extensions: writeAll(EXTENSIONS_RESOURCE, [EXTENSIONS]),
  Extension: writeAll(EXTENSION_RESOURCE, EXTENSIONS),
  V3Token: writeAll(V3_TOKEN, V3_ACCESSES),
  ApplicationCredential: writeAll(APPLICATION_CREDENTIAL, CREDENTIALS),
  ApplicationCredentials: writeAll(APPLICATION_CREDENTIALS, [
    {
      credentials: CREDENTIALS,
      selfUrl: `${BASE_URL}/v3/users/30744378952176/application_credentials`,
    },
  ]),
  V3Catalog: writeAll(
    V3_CATALOG,
    ACCESSES.map((access) => ({ access, selfUrl: `${BASE_URL}/v3/auth/catalog` })),
  ),
  V3Projects: writeAll(V3_PROJECTS, [
    { projects: PROJECTS, selfUrl: `${BASE_URL}/v3/auth/projects` },
  ]),
} as const;

export type AnswerName = keyof typeof ANSWERS;

function writeAll<T>(resource: Resource<T>, values: readonly T[]): Representation[] {
  return values.map((value) => represent(resource, value));
}
