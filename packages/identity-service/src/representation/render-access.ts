import { type Access, domainStatusText, type HeldRole } from '@zonewright/accounts';
import { SERVICE } from './render-catalog.js';
import {
  attribute,
  group,
  list,
  type Member,
  object,
  type Resource,
  type Shape,
} from '@zonewright/http-api';
import { V2_NAMESPACE } from './namespaces.js';
import { toIsoMilliseconds } from './timestamps.js';

const TENANT_REFERENCE: Shape<NonNullable<Access['tenant']>> = [
  attribute('id', (tenant) => tenant.id),
  attribute('name', (tenant) => tenant.name),
];

const TOKEN: Shape<Access> = [
  attribute('expires', (access) => toIsoMilliseconds(access.expiresAt)),
  attribute('id', (access) => access.tokenId),
  object('tenant', TENANT_REFERENCE, (access) => access.tenant),
];

const ROLE: Shape<HeldRole> = [
  attribute('id', ({ role }) => role.id),
  attribute('serviceId', ({ role }) => role.serviceId),
  attribute('name', ({ role }) => role.name),
  attribute('tenantId', (assignment) => assignment.tenantId),
];

const USER: Shape<Access> = [
  attribute('id', ({ account }) => account.id),
  attribute('name', ({ account }) => account.name),
  group('otherAttributes', [
    attribute('domainStatus', ({ account }) => domainStatusText(account)),
    attribute('domainStatusCode', ({ account }) => account.domain.statusCode?.toString()),
  ]),
  list('roles', { name: 'role', shape: ROLE }, (access) => access.roles),
];

const TOKEN_AND_USER: readonly Member<Access>[] = [
  object('token', TOKEN, (access) => access),
  object('user', USER, (access) => access),
];

/** Token, user and catalog: what operations that make or rescope a token answer (Identity s2). */
export const ACCESS: Resource<Access> = {
  root: 'access',
  namespace: V2_NAMESPACE,
  wrappedInJson: true,
  shape: [
    ...TOKEN_AND_USER,
    list('serviceCatalog', { name: 'service', shape: SERVICE }, (access) => access.catalog),
  ],
};

/** The same without the catalog: validation and legacy authentication. */
export const ACCESS_WITHOUT_CATALOG: Resource<Access> = {
  root: 'access',
  namespace: V2_NAMESPACE,
  wrappedInJson: true,
  shape: TOKEN_AND_USER,
};
