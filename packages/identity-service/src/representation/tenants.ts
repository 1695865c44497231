import type { Tenant } from '@zonewright/accounts';
import {
  attribute,
  bareList,
  element,
  only,
  type Resource,
  type Shape,
} from '@zonewright/http-api';
import { toIsoMilliseconds, V2_NAMESPACE } from './namespaces.js';
import { LINK } from './versions.js';

export interface TenantPage {
  readonly tenants: readonly Tenant[];
  /** URL of the next page. Undefined for the last page. */
  readonly nextUrl: string | undefined;
}

const TENANT: Shape<Tenant> = [
  attribute('id', (tenant) => tenant.id),
  attribute('name', (tenant) => tenant.name),
  element('description', (tenant) => tenant.description ?? ''),
  attribute('enabled', (tenant) => tenant.enabled),
  // display-name is only in XML, the two times only in JSON (Identity s2).
  only('xml', [attribute('display-name', (tenant) => tenant.displayName ?? tenant.name)]),
  only('json', [
    attribute('created', (tenant) => toIsoMilliseconds(tenant.createdAt)),
    attribute('updated', (tenant) => toIsoMilliseconds(tenant.updatedAt)),
  ]),
];

/** List of tenants (Identity s2; D-ID). */
export const TENANTS: Resource<TenantPage> = {
  root: 'tenants',
  namespace: V2_NAMESPACE,
  wrappedInJson: false,
  shape: [
    bareList('tenants', { name: 'tenant', shape: TENANT }, ({ tenants }) => tenants),
    bareList('tenants_links', { name: 'link', shape: LINK }, ({ nextUrl }) =>
      nextUrl === undefined ? [] : [{ rel: 'next', href: nextUrl }],
    ),
  ],
};
