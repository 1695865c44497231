import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  assignRole,
  FakeClock,
  insertAccessKey,
  insertAccountDomain,
  insertTenant,
  insertUser,
  type TestUser,
  waitFor,
} from '@zonewright/testkit';
import jwt from 'jsonwebtoken';
import { ROUTES } from '../src/routes.js';
import {
  administrationBody,
  administrationPath,
  insertOperator,
  insertThings,
  stateOfThings,
  type Things,
} from './administration-calls.js';
import { call, tokenOf } from './client.js';
import { keyring, useIdentity } from './use-identity.js';

/**
 * Calls every operation that needs a token as every caller who must be refused, and as those who must not. Each row
 * names an operation, its call with the victim's objects, and the status for each kind of caller.
 */
const clock = new FakeClock();
// The victim has a key for each cell.
const identity = useIdentity({ clock, env: { ACCESS_KEY_QUOTA: '1000' } });

const CALLERS = [
  'no token',
  'malformed',
  'forged signature',
  'alg: none',
  'expired',
  'revoked',
  'disabled user',
  'suspended user',
  'unscoped',
  'other tenant',
  'other user',
  'administrator of another domain',
  'administrator of the domain',
  'service',
  'operator',
] as const;
type Caller = (typeof CALLERS)[number];

/** The victim's objects, which are created again after each call that changed something. */
interface Victim {
  readonly user: TestUser;
  readonly tokenId: string;
  readonly accessKeyId: string;
  /** The id of a restricted access key. */
  readonly credentialId: string;
  /** Objects of the same account domain that administrators manage. */
  readonly things: Things;
}

interface Row {
  readonly path: (victim: Victim) => string;
  readonly body?: (victim: Victim) => unknown;
  readonly headers?: (victim: Victim) => Record<string, string>;
  /** The statuses for the victim's own tokens 'unscoped' and 'other tenant', and for the four other users. */
  readonly statuses: {
    readonly own: number;
    readonly otherUser: number;
    readonly otherAdministrator: number;
    readonly administrator: number;
    readonly service: number;
    readonly operator: number;
  };
  /** The status of an unscoped token if it differs from that of a scoped one. */
  readonly unscoped?: number;
}

const KEYS = '/v2.0/EXT-IDM/v1.0/accesskeys';
const everybody = (status: number) => ({
  own: status,
  otherUser: status,
  otherAdministrator: status,
  administrator: status,
  service: status,
  operator: status,
});
/** Returns the statuses for another user's keys or projects: 401 except for the domain's administrator. */
const keysOfVictim = (status: number) => ({
  own: status,
  otherUser: 401,
  otherAdministrator: 401,
  administrator: status,
  service: 401,
  operator: 401,
});
const revocation = (status: number) => ({
  own: status,
  otherUser: 403,
  otherAdministrator: 403,
  administrator: status,
  service: 403,
  operator: 403,
});
const validation = (status: number) => ({
  own: status,
  otherUser: 401,
  otherAdministrator: status,
  administrator: status,
  service: status,
  operator: 401,
});
/** Returns the statuses for objects of one account domain, which only its administrator and the operator see. */
const managed = (status: number) => ({
  own: 403,
  otherUser: 403,
  otherAdministrator: 404,
  administrator: status,
  service: 403,
  operator: status,
});
/** The statuses of a list in which all administrators see their own objects. */
const listed = { ...managed(200), otherAdministrator: 200 };
/** Returns the statuses for operations that concern the whole installation. */
const forOperator = (status: number) => ({
  ...managed(403),
  otherAdministrator: 403,
  operator: status,
});

const subjectHeader = ({ tokenId }: Victim) => ({ 'X-Subject-Token': tokenId });
const keyOfVictim = ({ accessKeyId, user }: Victim) => `${KEYS}/${accessKeyId}?userId=${user.id}`;

const ROWS: Readonly<Record<string, Row>> = {
  'GET /v2.0/tenants': { path: () => '/v2.0/tenants', statuses: everybody(200) },
  'GET /v2.0/tokens/{tokenId}': {
    path: ({ tokenId }) => `/v2.0/tokens/${tokenId}`,
    statuses: validation(200),
  },
  'HEAD /v2.0/tokens/{tokenId}': {
    path: ({ tokenId }) => `/v2.0/tokens/${tokenId}`,
    statuses: validation(204),
  },
  'GET /v2.0/tokens/{tokenId}/endpoints': {
    path: ({ tokenId }) => `/v2.0/tokens/${tokenId}/endpoints`,
    statuses: validation(200),
  },
  'DELETE /v2.0/tokens/{tokenId}': {
    path: ({ tokenId }) => `/v2.0/tokens/${tokenId}`,
    statuses: revocation(204),
  },
  'DELETE /v2.0/EXT-IDM/v1.0/tokens/{tokenId}': {
    path: ({ tokenId }) => `/v2.0/EXT-IDM/v1.0/tokens/${tokenId}`,
    statuses: revocation(200),
  },
  [`POST ${KEYS}`]: {
    path: () => KEYS,
    body: ({ user }) => ({ accessKey: { userId: user.id } }),
    statuses: keysOfVictim(201),
  },
  [`GET ${KEYS}`]: {
    path: ({ user }) => `${KEYS}?userId=${user.id}&export=true`,
    statuses: keysOfVictim(200),
  },
  [`PUT ${KEYS}`]: {
    path: () => KEYS,
    body: ({ user }) => ({
      accessKeys: { accessKey: [{ userId: user.id, secretKey: 's', algorithm: 'x' }] },
    }),
    statuses: keysOfVictim(200),
  },
  [`GET ${KEYS}/{accesskeyId}`]: {
    path: (victim) => `${keyOfVictim(victim)}&export=true`,
    statuses: keysOfVictim(200),
  },
  [`PUT ${KEYS}/{accesskeyId}`]: {
    path: keyOfVictim,
    body: () => ({ accessKey: { status: 'inactive' } }),
    statuses: keysOfVictim(200),
  },
  [`DELETE ${KEYS}/{accesskeyId}`]: { path: keyOfVictim, statuses: keysOfVictim(204) },
  'GET /v3/auth/tokens': {
    path: () => '/v3/auth/tokens',
    headers: subjectHeader,
    statuses: validation(200),
  },
  'HEAD /v3/auth/tokens': {
    path: () => '/v3/auth/tokens',
    headers: subjectHeader,
    statuses: validation(200),
  },
  'DELETE /v3/auth/tokens': {
    path: () => '/v3/auth/tokens',
    headers: subjectHeader,
    statuses: revocation(204),
  },
  'GET /v3/auth/projects': { path: () => '/v3/auth/projects', statuses: everybody(200) },
  'GET /v3/users/{userId}/projects': {
    path: ({ user }) => `/v3/users/${user.id}/projects`,
    statuses: { ...keysOfVictim(200), operator: 200 },
  },
  'POST /v3/users/{userId}/application_credentials': {
    path: ({ user }) => `/v3/users/${user.id}/application_credentials`,
    body: () => ({ application_credential: { name: `name-${Math.random()}` } }),
    // Users may do this only for themselves, and with a token for a project: 'unscoped' gets 400.
    statuses: {
      own: 201,
      otherUser: 403,
      otherAdministrator: 403,
      administrator: 403,
      service: 403,
      operator: 403,
    },
    unscoped: 400,
  },
  'GET /v3/users/{userId}/application_credentials': {
    path: ({ user }) => `/v3/users/${user.id}/application_credentials`,
    statuses: keysOfVictim(200),
  },
  'GET /v3/users/{userId}/application_credentials/{credentialId}': {
    path: ({ user, credentialId }) =>
      `/v3/users/${user.id}/application_credentials/${credentialId}`,
    statuses: keysOfVictim(200),
  },
  'DELETE /v3/users/{userId}/application_credentials/{credentialId}': {
    path: ({ user, credentialId }) =>
      `/v3/users/${user.id}/application_credentials/${credentialId}`,
    statuses: keysOfVictim(204),
  },
  'GET /v3/auth/catalog': { path: () => '/v3/auth/catalog', statuses: everybody(200) },
  ...administrationRows(),
};

/** Returns the rows by operation. Operations without an entry here concern one object of an account domain. */
function administrationRows(): Record<string, Row> {
  const special: Readonly<Record<string, Row['statuses']>> = {
    'POST /v3/users/{userId}/password': { ...everybody(403) },
    'GET /v3/roles': listed,
    'POST /v3/roles': forOperator(201),
    'GET /v3/roles/{roleId}': listed,
    'PATCH /v3/roles/{roleId}': forOperator(200),
    'DELETE /v3/roles/{roleId}': forOperator(204),
    'GET /v3/domains/{domainId}': { ...managed(200), own: 200, otherUser: 200, service: 200 },
    'GET /v3/auth/domains': everybody(200),
    'GET /v3/services/{serviceId}': listed,
    'GET /v3/endpoints/{endpointId}': listed,
    'GET /v3/OS-EP-FILTER/endpoints/{endpointId}/projects': listed,
    'GET /v3/regions': everybody(200),
    'GET /v3/regions/{regionId}': everybody(200),
    'POST /v3/internal/tsig/verify': { ...everybody(403), service: 200 },
    'POST /v3/internal/tsig/exchange': { ...everybody(403), service: 200 },
    'POST /v3/internal/access-keys/verify': { ...everybody(403), service: 200 },
    // Nothing is signed for a caller who presents no signed message.
    'POST /v3/internal/tsig/sign': everybody(403),
    'POST /v3/internal/tsig/sign-transfer': everybody(403),
  };
  const rows = ROUTES.filter(({ json }) => json !== undefined).map((route): [string, Row] => {
    const { method, path, status = 200 } = route;
    const operation = `${method} ${path}`;
    const isList = method === 'GET' && !path.includes('{');
    return [
      operation,
      {
        path: ({ things }) => administrationPath(path, things),
        body: ({ things }) => administrationBody(method, path, things),
        statuses: special[operation] ?? (isList ? listed : managed(status)),
      },
    ];
  });
  return Object.fromEntries(rows);
}

const tokens = new Map<Caller, string>();
let victimUser: TestUser;

beforeAll(async () => {
  const { db, world, url } = identity;
  const { accountDomainId, roleIds, secondTenant } = world;
  const elsewhere = await insertAccountDomain(db);
  const foreignTenant = await insertTenant(db, { accountDomainId: elsewhere });
  const [victim, other, stranger, disabled, suspended] = await Promise.all([
    insertUser(db, { accountDomainId }),
    insertUser(db, { accountDomainId }),
    insertUser(db, { accountDomainId: elsewhere }),
    insertUser(db, { accountDomainId }),
    insertUser(db, { accountDomainId }),
  ]);
  victimUser = victim;
  const member = roleIds.member;
  await assignRole(db, { userId: victim.id, roleId: member, tenantId: secondTenant.id });
  await assignRole(db, { userId: other.id, roleId: member, tenantId: secondTenant.id });
  await assignRole(db, { userId: stranger.id, roleId: roleIds.admin });
  await assignRole(db, { userId: stranger.id, roleId: member, tenantId: foreignTenant.id });
  // Blocked users hold the strongest role, which must not help them.
  await assignRole(db, { userId: disabled.id, roleId: roleIds.admin });
  await assignRole(db, { userId: suspended.id, roleId: roleIds.admin });
  const operator = await insertOperator(identity);

  tokens.set('expired', await tokenOf(url, victim));
  clock.advance(12 * 60 * 60 * 1000);
  const revoked = await tokenOf(url, victim);
  await call(url, { method: 'DELETE', path: `/v2.0/tokens/${revoked}`, token: revoked });
  tokens.set('revoked', revoked);
  const sound = await tokenOf(url, world.administrator);
  tokens.set('malformed', 'x'.repeat(300));
  tokens.set('forged signature', forge(sound, 'not the key'));
  tokens.set('alg: none', forge(sound, undefined));
  tokens.set('disabled user', await tokenOf(url, disabled));
  tokens.set('suspended user', await tokenOf(url, suspended));
  tokens.set('unscoped', await tokenOf(url, victim));
  tokens.set('other tenant', await tokenOf(url, victim, secondTenant.id));
  tokens.set('other user', await tokenOf(url, other, secondTenant.id));
  tokens.set('administrator of another domain', await tokenOf(url, stranger));
  tokens.set('administrator of the domain', sound);
  tokens.set('service', await tokenOf(url, world.serviceUser));
  tokens.set('operator', await tokenOf(url, operator));
  await db.raw(`update identity.users set status = 'disabled' where id = ?`, [disabled.id]);
  await db.raw(`update identity.users set status = 'suspended' where id = ?`, [suspended.id]);
  for (const name of ['disabled user', 'suspended user'] as const) {
    await waitFor(async () => {
      const token = tokens.get(name);
      return (await call(url, { path: '/v2.0/tenants', token })).status === 403;
    });
  }
});

/** Returns the claims of a valid token with another signature, or with none. */
function forge(tokenId: string, secret: string | undefined): string {
  const { header, payload } = jwt.decode(tokenId, { complete: true })!;
  return secret === undefined
    ? jwt.sign(payload, '', { algorithm: 'none', header: { ...header, alg: 'none' } })
    : jwt.sign(payload, secret, { algorithm: 'HS256', header });
}

/** The response for each kind of caller. Callers without an entry are refused as if there were no token: 401. */
const EXPECTED: Readonly<Partial<Record<Caller, (row: Row) => number>>> = {
  'disabled user': () => 403,
  'suspended user': () => 403,
  unscoped: ({ statuses, unscoped }) => unscoped ?? statuses.own,
  'other tenant': ({ statuses }) => statuses.own,
  'other user': ({ statuses }) => statuses.otherUser,
  'administrator of another domain': ({ statuses }) => statuses.otherAdministrator,
  'administrator of the domain': ({ statuses }) => statuses.administrator,
  service: ({ statuses }) => statuses.service,
  operator: ({ statuses }) => statuses.operator,
};

function expectedStatus(caller: Caller, row: Row): number {
  return EXPECTED[caller]?.(row) ?? 401;
}

async function newVictim(): Promise<Victim> {
  const { db, url, world } = identity;
  const owner = { userId: victimUser.id, accountDomainId: world.accountDomainId };
  const { accessKey } = await insertAccessKey(db, keyring, owner);
  const restrictedTo = world.tenant.id;
  const credential = await insertAccessKey(db, keyring, { ...owner, restrictedTo });
  return {
    user: victimUser,
    accessKeyId: accessKey,
    credentialId: credential.accessKey,
    tokenId: await tokenOf(url, victimUser),
    things: await insertThings(identity),
  };
}

/** Returns the state of the victim's objects in the database, which no refused request may have changed. */
async function stateOf({ accessKeyId, credentialId, tokenId, things }: Victim): Promise<unknown> {
  const { rows } = await identity.db.raw<{ rows: unknown[] }>(
    `select (select count(*) from identity.access_keys where user_id = ?) as keys,
       (select array_agg(status order by id) from identity.access_keys where id in (?, ?)) as states`,
    [victimUser.id, accessKeyId, credentialId],
  );
  const validation = await call(identity.url, { path: `/v2.0/tokens/${tokenId}`, token: tokenId });
  return [rows, validation.status, await stateOfThings(identity, things)];
}

let unharmed: { readonly victim: Victim; readonly state: unknown } | undefined;

/** Returns a victim whose objects are unchanged. */
async function takeVictim(): Promise<{ readonly victim: Victim; readonly state: unknown }> {
  const taken = unharmed;
  unharmed = undefined;
  if (taken !== undefined) return taken;
  const victim = await newVictim();
  return { victim, state: await stateOf(victim) };
}

describe('Isolation', () => {
  it('every operation that needs a token has a row', () => {
    const operations = ROUTES.filter((route) => route.access === 'token');
    expect(operations.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
      Object.keys(ROWS).sort(),
    );
  });

  it('Identity s5.1: only authentication, versions, extensions and the description need no token', () => {
    const open = ROUTES.filter((route) => route.access === 'public');
    expect(open.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
      'GET /',
      'GET /auth/v1.0',
      'GET /auth/v1.1',
      'GET /openapi.json',
      'GET /v1.0',
      'GET /v1.1',
      'GET /v2.0',
      'GET /v2.0/extensions',
      'GET /v2.0/extensions/{alias}',
      'GET /v3',
      'POST /v2.0/tokens',
      'POST /v3/auth/tokens',
    ]);
  });

  describe.each(Object.entries(ROWS))('%s', (operation, row) => {
    it.each(CALLERS)('Identity s5: by: %s', async (caller) => {
      const { victim, state } = await takeVictim();
      const method = operation.split(' ')[0] as 'GET';
      const answer = await call(identity.url, {
        method,
        path: row.path(victim),
        token: tokens.get(caller),
        body: row.body?.(victim),
        headers: row.headers?.(victim),
      });
      expect(answer.status).toBe(expectedStatus(caller, row));
      if (answer.status >= 400) {
        expect(await stateOf(victim)).toEqual(state);
        expect(answer.text).not.toContain(victimUser.name);
      }
      // Other callers may see only what they named, whatever the status.
      if (caller === 'administrator of another domain') {
        expect(answer.text).not.toContain(victim.things.user.name);
        expect(answer.text).not.toContain(victim.things.tenant.name);
      }
      if (answer.status >= 400 || operation.startsWith('GET ')) unharmed = { victim, state };
    });
  });
});
