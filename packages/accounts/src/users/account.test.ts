import { describe, expect, it } from '@jest/globals';
import {
  type Account,
  domainStatusText,
  hasRoleOnTenant,
  isAdministratorOf,
  isBlocked,
  isOperator,
  isService,
  mayValidateAnyToken,
  rolesInScope,
} from './account.js';

type Held = readonly [role: string, tenantId?: string];

function account(roles: readonly Held[], change: Partial<Account> = {}): Account {
  return {
    id: 'ada',
    name: 'ada',
    status: 'enabled',
    domain: { id: 'acme', name: 'Acme', status: 'enabled', statusCode: null },
    tokensValidAfter: undefined,
    credentialGeneration: 0,
    assignments: roles.map(([name, tenantId]) => ({
      role: { id: `id of ${name}`, name, serviceId: undefined },
      tenantId,
    })),
    ...change,
  };
}

const domain = (change: Partial<Account['domain']>) => ({
  domain: { id: 'acme', name: 'Acme', status: 'enabled', statusCode: null, ...change } as const,
});

describe('rights of an account', () => {
  it.each<
    [string, readonly Held[], { admin: boolean; operator: boolean; service: boolean; any: boolean }]
  >([
    ['no role', [], { admin: false, operator: false, service: false, any: false }],
    [
      'member of a tenant',
      [['member', 't']],
      { admin: false, operator: false, service: false, any: false },
    ],
    [
      'admin of the domain',
      [['admin']],
      { admin: true, operator: false, service: false, any: true },
    ],
    [
      'admin of a tenant only',
      [['admin', 't']],
      { admin: false, operator: false, service: false, any: true },
    ],
    [
      'operator',
      [['identity-operator']],
      { admin: false, operator: true, service: false, any: false },
    ],
    [
      'operator on a tenant only',
      [['identity-operator', 't']],
      { admin: false, operator: false, service: false, any: false },
    ],
    ['service', [['service', 't']], { admin: false, operator: false, service: true, any: true }],
  ])('%s', (_, roles, expected) => {
    const user = account(roles);
    expect({
      admin: isAdministratorOf(user, 'acme'),
      operator: isOperator(user),
      service: isService(user),
      any: mayValidateAnyToken(user),
    }).toEqual(expected);
  });

  it('an administrator does not administer another account domain', () => {
    expect(isAdministratorOf(account([['admin']]), 'other')).toBe(false);
  });

  it('Identity s4: a role on the tenant itself associates a user with it, one on the domain does not', () => {
    const user = account([['member', 't'], ['admin']]);
    expect(hasRoleOnTenant(user, 't')).toBe(true);
    expect(hasRoleOnTenant(user, 'other')).toBe(false);
  });

  it.each([
    ['t', ['member', 'admin']],
    ['other', ['admin']],
    [undefined, ['admin']],
  ])('roles in the scope %s: %j', (tenantId, names) => {
    const roles = rolesInScope(account([['member', 't'], ['admin']]), tenantId);
    expect(roles.map(({ role }) => role.name)).toEqual(names);
  });
});

describe('status of an account', () => {
  it.each<[string, Partial<Account>, boolean, string]>([
    ['enabled', {}, false, 'enabled'],
    ['disabled', { status: 'disabled' }, true, 'enabled'],
    ['suspended', { status: 'suspended' }, true, 'enabled'],
    ['of a disabled domain', domain({ status: 'disabled' }), true, 'disabled'],
    ['of a suspended domain', domain({ status: 'suspended', statusCode: 3 }), true, 'suspended:3'],
    ['of a suspended domain without a code', domain({ status: 'suspended' }), true, 'suspended'],
  ])('Identity s2, s5.6: %s', (_, change, blocked, text) => {
    const user = account([], change);
    expect(isBlocked(user)).toBe(blocked);
    expect(domainStatusText(user)).toBe(text);
  });
});
