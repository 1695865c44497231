import {
  attribute,
  bareList,
  element,
  jsonConstant,
  only,
  type Shape,
} from '../representation/member.js';
import { type Resource, V2_NAMESPACE } from '../representation/resource.js';
import { toIsoMilliseconds } from '../representation/timestamps.js';
import type { Tenant } from './tenant.js';

const TENANT: Shape<Tenant> = [
  attribute('id', (tenant) => tenant.id),
  attribute('name', (tenant) => tenant.name),
  element('description', (tenant) => tenant.description ?? ''),
  attribute('enabled', (tenant) => tenant.enabled),
  // Identity s2: display-name in XML alone, the two times in JSON alone.
  only('xml', [attribute('display-name', (tenant) => tenant.displayName ?? tenant.name)]),
  only('json', [
    attribute('created', (tenant) => toIsoMilliseconds(tenant.createdAt)),
    attribute('updated', (tenant) => toIsoMilliseconds(tenant.updatedAt)),
  ]),
];

/** A list of tenants (Identity s2). */
export const TENANTS: Resource<readonly Tenant[]> = {
  root: 'tenants',
  namespace: V2_NAMESPACE,
  wrappedInJson: false,
  shape: [
    bareList('tenants', { name: 'tenant', shape: TENANT }, (tenants) => tenants),
    jsonConstant('tenants_links', []),
  ],
};
