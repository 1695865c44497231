import {
  type Access,
  type Account,
  type AccountDomain,
  type CatalogEndpoint,
  type Endpoint,
  type Role,
  type Service,
  type NamedAssignment,
  type RestrictionContent,
  type Tenant,
  TOKEN_LIFETIME_MS,
  type ManagedUser,
} from '@zonewright/accounts';
import type { CredentialView } from '../representation/application-credential.js';
import type { AccessKeyView } from '../representation/access-key.js';

/**
 * Samples of each kind of resource: one with every possible member, one with only the required members. Lists have two
 * items, so that XML shows which elements can be repeated.
 */
const ISSUED_AT = new Date('2026-01-31T08:00:00.000Z');
const TENANT_ID = '72020596871800';
const URL = 'https://compute.example.net/v1.1';

const FULL_ENDPOINT: CatalogEndpoint = {
  id: 'compute-west',
  tenantId: TENANT_ID,
  region: 'US-West',
  publicUrl: `${URL}/${TENANT_ID}`,
  publicUrl2: `${URL}/2/${TENANT_ID}`,
  internalUrl: `${URL}/${TENANT_ID}`,
  adminUrl: `${URL}/${TENANT_ID}`,
  versionId: '1.1',
  versionInfo: `${URL}/`,
  versionList: 'https://compute.example.net',
  releaseState: 'public',
};

const LEAST_ENDPOINT: CatalogEndpoint = {
  ...FULL_ENDPOINT,
  tenantId: undefined,
  publicUrl2: undefined,
  internalUrl: undefined,
  versionId: undefined,
  versionInfo: undefined,
  versionList: undefined,
};

const ENDPOINTS = [
  FULL_ENDPOINT,
  { ...LEAST_ENDPOINT, versionId: '1.1' },
  { ...LEAST_ENDPOINT, versionInfo: `${URL}/` },
  LEAST_ENDPOINT,
];
const SERVICE = { name: 'Compute', type: 'compute', endpoints: ENDPOINTS };

export const CATALOG = [
  { ...SERVICE, serviceId: '110' },
  { ...SERVICE, serviceId: '111' },
];

const ROLES = [
  { role: { id: '10419409370304', name: 'net-admin', serviceId: '120' }, tenantId: TENANT_ID },
  { role: { id: '00000000004004', name: 'domainuser', serviceId: undefined }, tenantId: undefined },
];

const FULL_ACCOUNT: Account = {
  id: '30744378952176',
  name: 'arunkant',
  status: 'suspended',
  domain: { id: '66751536623402', name: 'example', status: 'suspended', statusCode: 3 },
  tokensValidAfter: undefined,
  credentialGeneration: 0,
  assignments: ROLES,
};

const LEAST_ACCOUNT: Account = {
  ...FULL_ACCOUNT,
  status: 'enabled',
  domain: { ...FULL_ACCOUNT.domain, status: 'enabled', statusCode: null },
};

const TENANT: Tenant = {
  id: TENANT_ID,
  name: 'example-project',
  displayName: null,
  description: 'A project',
  enabled: true,
  accountDomainId: '66751536623402',
  accountDomainName: 'example',
  createdAt: ISSUED_AT,
  updatedAt: ISSUED_AT,
};

export const TENANTS = [TENANT, { ...TENANT, id: '72020596871801', name: 'other-project' }];

const SCOPED: Access = {
  tokenId: 'eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl',
  method: 'password',
  issuedAt: ISSUED_AT,
  expiresAt: new Date(ISSUED_AT.getTime() + TOKEN_LIFETIME_MS),
  account: FULL_ACCOUNT,
  tenant: TENANT,
  roles: ROLES,
  catalog: CATALOG,
  restriction: undefined,
};

const RESTRICTION: RestrictionContent = {
  tenantId: TENANT_ID,
  rules: [
    {
      zone: 'example.com.',
      name: '_acme-challenge.**',
      types: ['TXT'],
      actions: ['read', 'update'],
    },
  ],
  networks: ['192.0.2.0/24'],
  massDelete: false,
};

const RESTRICTED = {
  ...SCOPED,
  restriction: {
    ...RESTRICTION,
    number: 1,
    accessKeyId: 'RKJ6K4XL7WWKB9A2SLLQ',
    accessKeyName: 'web1',
  },
};

/** Only version 3 contains restrictions. */
export const V3_ACCESSES: readonly Access[] = [
  RESTRICTED,
  { ...RESTRICTED, restriction: { ...RESTRICTED.restriction, rules: undefined } },
  { ...SCOPED, account: LEAST_ACCOUNT, tenant: undefined },
];

export const ACCESSES = [SCOPED, { ...SCOPED, account: LEAST_ACCOUNT, tenant: undefined }];

const FULL_KEY: AccessKeyView = {
  key: {
    id: 'RKJ6K4XL7WWKB9A2SLLQ',
    userId: FULL_ACCOUNT.id,
    accountDomainId: FULL_ACCOUNT.domain.id,
    algorithm: 'HmacSHA256',
    keyLength: 240,
    secret: undefined,
    status: 'active',
    validFrom: ISSUED_AT,
    validTo: new Date('2036-01-29T08:00:00.000Z'),
    createdAt: ISSUED_AT,
    name: 'web1',
    description: 'for the web server',
    restriction: RESTRICTION,
  },
  state: 'active',
  secretKey: 'the secret, where it is shown',
  lastUsedAt: ISSUED_AT,
};

const LEAST_KEY: AccessKeyView = {
  ...FULL_KEY,
  key: {
    ...FULL_KEY.key,
    keyLength: undefined,
    name: undefined,
    description: undefined,
    restriction: undefined,
  },
  secretKey: undefined,
  lastUsedAt: undefined,
};

/** Unused key, as shown with `extended=true`. */
const UNUSED_KEY: AccessKeyView = { ...FULL_KEY, lastUsedAt: null };

/** Key with all rights of its user, limited to some networks. */
const KEY_OF_PLACES: AccessKeyView = {
  ...FULL_KEY,
  key: { ...FULL_KEY.key, restriction: { ...RESTRICTION, rules: undefined } },
};

export const ACCESS_KEYS = [FULL_KEY, LEAST_KEY, UNUSED_KEY, KEY_OF_PLACES];

/** Samples of the administration of accounts. */
export const USER: ManagedUser = {
  id: FULL_ACCOUNT.id,
  name: FULL_ACCOUNT.name,
  accountDomainId: FULL_ACCOUNT.domain.id,
  accountDomainName: FULL_ACCOUNT.domain.name,
  status: 'enabled',
  description: 'A user',
  email: 'arunkant@example.net',
  defaultProjectId: null,
  extra: {},
  hasPassword: true,
  createdAt: ISSUED_AT,
  updatedAt: ISSUED_AT,
};

export const DOMAIN: AccountDomain = {
  ...FULL_ACCOUNT.domain,
  createdAt: ISSUED_AT,
  updatedAt: ISSUED_AT,
};

export const ROLE: Role = {
  id: '10419409370304',
  name: 'net-admin',
  serviceId: '120',
  serviceName: 'Network',
  createdAt: ISSUED_AT,
};

export const SERVICE_ENTRY: Service = {
  id: '110',
  name: SERVICE.name,
  types: [SERVICE.type],
  isGlobal: false,
  isForNewTenants: false,
  enabled: true,
  requiredRoles: [],
  createdAt: ISSUED_AT,
};

export const ENDPOINT: Endpoint = {
  ...FULL_ENDPOINT,
  publicUrl2: null,
  internalUrl: URL,
  versionId: null,
  versionInfo: null,
  versionList: null,
  serviceId: SERVICE_ENTRY.id,
  serviceName: SERVICE.name,
  enabled: true,
  createdAt: ISSUED_AT,
};

const ASSIGNMENT: NamedAssignment = {
  userId: USER.id,
  userName: USER.name,
  userDomainId: USER.accountDomainId,
  userDomainName: USER.accountDomainName,
  roleId: ROLE.id,
  roleName: ROLE.name,
  tenantId: TENANT.id,
  tenantName: TENANT.name,
  tenantDomainId: TENANT.accountDomainId,
  tenantDomainName: TENANT.accountDomainName,
};

export const ASSIGNMENTS: readonly NamedAssignment[] = [
  ASSIGNMENT,
  {
    ...ASSIGNMENT,
    tenantId: null,
    tenantName: null,
    tenantDomainId: null,
    tenantDomainName: null,
  },
];

const CREDENTIAL_URL =
  'https://identity.example.net/v3/users/30744378952176/application_credentials';

const FULL_CREDENTIAL: CredentialView = {
  key: FULL_KEY.key,
  owner: FULL_ACCOUNT,
  secretKey: FULL_KEY.secretKey,
  selfUrl: `${CREDENTIAL_URL}/${FULL_KEY.key.id}`,
};

export const CREDENTIALS = [
  FULL_CREDENTIAL,
  {
    ...FULL_CREDENTIAL,
    key: { ...FULL_KEY.key, restriction: undefined },
    secretKey: undefined,
  },
  { ...FULL_CREDENTIAL, key: { ...FULL_KEY.key, restriction: undefined }, secretKey: undefined },
];
