import { describe, expect, it } from '@jest/globals';
import type { HeldRole } from '../users/account.js';
import { type CatalogService, compileCatalog } from './catalog.js';

type Endpoint = CatalogService['endpoints'][number];

function endpoint(publicUrl: string, change: Partial<Endpoint> = {}): Endpoint {
  return {
    id: 'e1',
    region: 'local',
    publicUrl,
    publicUrl2: undefined,
    internalUrl: undefined,
    adminUrl: undefined,
    versionId: undefined,
    versionInfo: undefined,
    versionList: undefined,
    releaseState: 'public',
    ...change,
  };
}

const IDENTITY: CatalogService = {
  id: 'identity',
  name: 'Identity',
  types: ['identity'],
  isGlobal: true,
  requiredRoleIds: [],
  endpoints: [endpoint('https://id.example.com/v2.0')],
};
const DNS: CatalogService = {
  id: 'dns',
  name: 'DNS',
  types: ['ext:dns', 'hpext:dns'],
  isGlobal: false,
  requiredRoleIds: ['dns-admin', 'dns-reader'],
  endpoints: [endpoint('https://dns.example.com/v1/%(tenant_id)s')],
};
const role = (id: string): HeldRole => ({
  role: { id, name: id, serviceId: undefined },
  tenantId: 'acme',
});
const ACTIVE: ReadonlySet<string> = new Set(['dns']);
const scope = (roles: readonly string[], activatedServiceIds = ACTIVE, tenantId?: string) => ({
  tenantId: tenantId ?? 'acme',
  roles: roles.map(role),
  activatedServiceIds,
});

describe('compileCatalog (Identity s1)', () => {
  it.each([
    [
      'active, and a required role is held',
      scope(['dns-reader']),
      ['identity', 'ext:dns', 'hpext:dns'],
    ],
    ['active, but no required role is held', scope(['member']), ['identity']],
    ['a required role is held, but not active', scope(['dns-admin'], new Set()), ['identity']],
  ])('the DNS service is %s', (_, given, types) => {
    expect(compileCatalog([IDENTITY, DNS], given).map(({ type }) => type)).toEqual(types);
  });

  it('an unscoped token sees no endpoint that names a tenant', () => {
    const unscoped = { ...scope(['dns-admin']), tenantId: undefined };
    expect(compileCatalog([IDENTITY, DNS], unscoped).map(({ type }) => type)).toEqual(['identity']);
  });

  it('fills in the tenant, and the public URL for the internal and the admin URL', () => {
    const [entry] = compileCatalog([DNS], scope(['dns-admin']));
    const url = 'https://dns.example.com/v1/acme';
    expect(entry?.endpoints).toMatchObject([
      { publicUrl: url, internalUrl: url, adminUrl: url, tenantId: 'acme' },
    ]);
  });

  it('an endpoint of a global service belongs to no tenant', () => {
    const [entry] = compileCatalog([IDENTITY], scope([]));
    expect(entry?.endpoints).toMatchObject([{ tenantId: undefined }]);
  });

  it('leaves out a service without endpoints', () => {
    expect(compileCatalog([{ ...IDENTITY, endpoints: [] }], scope([]))).toEqual([]);
  });
});
