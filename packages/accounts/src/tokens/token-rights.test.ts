import { describe, expect, it } from '@jest/globals';
import type { Restriction } from '../access-keys/restriction-store.js';
import type { Account } from '../users/account.js';
import {
  isOutdated,
  isRestrictedAsSaid,
  mayUse,
  mayValidate,
  type ResolvedToken,
} from './token-rights.js';

const RESTRICTION: Restriction = {
  number: 7,
  accessKeyId: 'K1',
  accessKeyName: 'deploy',
  tenantId: 'acme',
  networks: [],
  massDelete: false,
};

function user(id: string, ...roles: readonly string[]): Account {
  return {
    id,
    name: id,
    status: 'enabled',
    domain: { id: 'default', name: 'Default', status: 'enabled', statusCode: null },
    tokensValidAfter: undefined,
    credentialGeneration: 3,
    assignments: roles.map((name) => ({
      role: { id: name, name, serviceId: undefined },
      tenantId: 'acme',
    })),
  };
}

type Party = Pick<ResolvedToken, 'id' | 'account' | 'isBlocked' | 'restriction'>;

function token(id: string, account: Account, change: Partial<Party> = {}): Party {
  return { id, account, isBlocked: false, restriction: undefined, ...change };
}

const ADA = token('ada 1', user('ada', 'member'));
const ADA_AGAIN = token('ada 2', user('ada', 'member'));
const ADA_RESTRICTED = token('ada 3', user('ada', 'member'), { restriction: RESTRICTION });
const ADA_RESTRICTED_AGAIN = token('ada 4', user('ada', 'member'), { restriction: RESTRICTION });
const ADA_BLOCKED = token('ada 5', user('ada', 'member'), { isBlocked: true });
const BOB = token('bob 1', user('bob', 'member'));
const SERVICE = token('service 1', user('dns-api', 'service'));
const SERVICE_RESTRICTED = token('service 2', user('dns-api', 'service'), {
  restriction: RESTRICTION,
});
const SERVICE_BLOCKED = token('service 3', user('dns-api', 'service'), { isBlocked: true });
const ADMINISTRATOR = token('root 1', user('root', 'admin'));

describe('mayValidate (D-ID-14)', () => {
  it.each([
    ['the own token', ADA, ADA, 'allowed'],
    ['another token of the same user', ADA, ADA_AGAIN, 'allowed'],
    ['a token of another user', ADA, BOB, 'unauthenticated'],
    ['as a service, any token', SERVICE, ADA, 'allowed'],
    ['as an administrator, any token', ADMINISTRATOR, ADA, 'allowed'],
    ['as a service, a token of a blocked user', SERVICE, ADA_BLOCKED, 'forbidden'],
    ['a token of a blocked user of somebody else', BOB, ADA_BLOCKED, 'unauthenticated'],
    ['as a blocked user, the own token', ADA_BLOCKED, ADA_BLOCKED, 'forbidden'],
    ['as a blocked service, any token', SERVICE_BLOCKED, ADA, 'forbidden'],
    [
      'as a restricted caller, another token of the same user',
      ADA_RESTRICTED,
      ADA,
      'unauthenticated',
    ],
    [
      'as a restricted caller, another restricted token of the same user',
      ADA_RESTRICTED,
      ADA_RESTRICTED_AGAIN,
      'unauthenticated',
    ],
    ['as a restricted service, any token', SERVICE_RESTRICTED, ADA, 'unauthenticated'],
  ])('%s', (_, caller, subject, verdict) => {
    expect(mayValidate(caller, subject, true)).toBe(verdict);
    const isHidden = subject.restriction !== undefined && !caller.isBlocked;
    expect(mayValidate(caller, subject, false)).toBe(isHidden ? 'not-found' : verdict);
  });

  it.each([
    ['its own holder', ADA_RESTRICTED],
    ['a service', SERVICE],
    ['an administrator', ADMINISTRATOR],
  ])('a restricted token is known only to callers that support restrictions: %s', (_, caller) => {
    expect(mayValidate(caller, ADA_RESTRICTED, true)).toBe('allowed');
    expect(mayValidate(caller, ADA_RESTRICTED, false)).toBe('not-found');
  });
});

describe('isOutdated', () => {
  const change = new Date('2030-01-31T12:00:00.123Z');
  const at = (offset: number) => new Date(change.getTime() + offset);
  const lineage = (generation: number) => ({ generation, names: ['x'], end: 'x' });
  const account = { credentialGeneration: 3, tokensValidAfter: change };

  it.each([
    ['before the password change, with the old generation', 2, -1, true],
    ['at the time of the change, with the old generation', 2, 0, true],
    ['at the time of the change, with the new generation', 3, 0, true],
    ['after the change, but with the old generation', 2, 1, true],
    ['after the change, with the new generation', 3, 1, false],
  ])('a token that was issued %s', (_, generation, offset, expected) => {
    const claims = { lineage: lineage(generation), issuedAt: at(offset) };
    expect(isOutdated(claims, account)).toBe(expected);
  });

  it('a user whose credentials never changed has no tokens that are too old', () => {
    const claims = { lineage: lineage(0), issuedAt: new Date(0) };
    const unchanged = { credentialGeneration: 0, tokensValidAfter: undefined };
    expect(isOutdated(claims, unchanged)).toBe(false);
  });
});

describe('isRestrictedAsSaid', () => {
  it.each([
    ['an unrestricted token', undefined, undefined, 'acme', true],
    ['the tenant of its restriction', 7, RESTRICTION, 'acme', true],
    ['another tenant', 7, RESTRICTION, 'other', false],
    ['no tenant', 7, RESTRICTION, undefined, false],
    ['a deleted restriction', 7, undefined, 'acme', false],
  ])('%s', (_, restrictionNumber, restriction, tenantId, expected) => {
    expect(isRestrictedAsSaid({ restrictionNumber }, restriction, tenantId)).toBe(expected);
  });
});

describe('mayUse', () => {
  const tenant = {
    id: 'acme',
    accountDomainId: 'default',
    accountDomainName: 'Default',
    name: 'acme',
    displayName: null,
    description: null,
    enabled: true,
    createdAt: new Date(0),
    updatedAt: new Date(0),
  };

  it.each([
    ['a tenant on which the user holds a role', tenant, true],
    ['a disabled tenant', { ...tenant, enabled: false }, false],
    ['a tenant on which the user holds no role', { ...tenant, id: 'other' }, false],
    ['a deleted tenant', undefined, false],
  ])('%s', (_, candidate, expected) => {
    expect(mayUse(user('ada', 'member'), candidate)).toBe(expected);
  });
});
