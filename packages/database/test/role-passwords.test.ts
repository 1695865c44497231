import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { describeWithPrivatePostgres, PrivatePostgres, waitFor } from '@zonewright/testkit';
import {
  type Database,
  DATABASE_ROLES,
  type DatabaseRole,
  limitRoleConnections,
  migrate,
  openDatabase,
  setRolePassword,
  type TestDatabase,
  withRole,
} from '../src/index.js';
import { runMigrate } from './support/migrate-process.js';
import { createEmptyDatabase } from './support/test-database.js';

/** Returns the URL with which a role logs in directly. */
function loginUrl(url: string, role: string, password: string): string {
  const login = new URL(url);
  login.username = role;
  login.password = encodeURIComponent(password);
  return login.toString();
}

// Roles and their passwords belong to the whole server, so these tests need a server that no other test uses.
describeWithPrivatePostgres('role passwords', () => {
  let server: PrivatePostgres;
  let database: TestDatabase;
  let owner: Database;
  const pools: Database[] = [];

  const open = (url: string): Database => {
    const db = openDatabase({ url, applicationName: 'zonewright-test', maxConnections: 1 });
    pools.push(db);
    return db;
  };
  /** Returns the user of the session. Undefined if the server refuses the login. */
  const whoLogsIn = async (role: DatabaseRole, password: string): Promise<string | undefined> => {
    const { rows } = await open(loginUrl(database.url, role, password))
      .raw<{ rows: { name: string }[] }>('select session_user as name')
      .catch((error: unknown) => {
        expect(error).toMatchObject({ code: '28P01' });
        return { rows: [] };
      });
    return rows[0]?.name;
  };

  beforeAll(async () => {
    server = await PrivatePostgres.start();
    database = await createEmptyDatabase(server.url);
    owner = openDatabase({
      url: database.url,
      applicationName: 'zonewright-test',
      maxConnections: 1,
    });
    await migrate(owner);
  }, 60_000);
  afterEach(async () => {
    await Promise.all(pools.splice(0).map((db) => db.destroy()));
  });
  afterAll(async () => {
    await owner.destroy();
    await server.stop();
  });

  it('a role has no login until it has a password', async () => {
    const { rows } = await owner.raw<{ rows: unknown[] }>(
      `select from pg_roles where rolname like 'zonewright%' and (rolcanlogin or rolsuper)`,
    );

    expect(rows).toEqual([]);
  });

  it.each([
    ['plain', 'correct horse'],
    ['with quotes', `it's "so" $$simple$$`],
    ['with question marks and backslashes', String.raw`\?\\?? $1 :name \n`],
    ['with characters of a URL', 'a:b/c@d?e#f%25'],
    ['in another script', 'пароль 密码 🔑'],
    ['that SASLprep changes', 'ﬁ\u00adn\u00a0ª'],
    ['of one character', '?'],
    ['long', 'x'.repeat(900)],
    ['that looks like a verifier', 'SCRAM-SHA-256$4096:c2FsdA==$a:b'],
  ])('a password %s logs in, and a similar one does not', async (_, password) => {
    await setRolePassword(owner, DATABASE_ROLES.nameserver, password);

    expect(await whoLogsIn(DATABASE_ROLES.nameserver, password)).toBe('zonewright_nameserver');
    expect(await whoLogsIn(DATABASE_ROLES.nameserver, `${password}x`)).toBeUndefined();
  });

  it('a new password replaces the earlier one', async () => {
    await setRolePassword(owner, DATABASE_ROLES.operator, 'first');
    await setRolePassword(owner, DATABASE_ROLES.operator, 'second');

    expect(await whoLogsIn(DATABASE_ROLES.operator, 'first')).toBeUndefined();
    expect(await whoLogsIn(DATABASE_ROLES.operator, 'second')).toBe('zonewright_operator');
  });

  it('no statement contains the password: neither an error nor the log of the server reveals it', async () => {
    await owner.raw(`set log_statement = 'all'`);
    await setRolePassword(owner, DATABASE_ROLES.nameserver, 'hunter2');
    await owner.raw('reset log_statement');
    await setRolePassword(owner, DATABASE_ROLES.dnsApi, 'first');
    const dnsApi = open(loginUrl(database.url, DATABASE_ROLES.dnsApi, 'first'));
    const error: unknown = await setRolePassword(dnsApi, DATABASE_ROLES.operator, 'hunter2').catch(
      (reason: unknown) => reason,
    );

    expect(error).toMatchObject({ code: '42501' });
    expect(JSON.stringify(error) + (error as Error).message).not.toContain('hunter2');
    // The log contains the statements that set the password, and the one that failed.
    await waitFor(() => (server.log.match(/alter role/g) ?? []).length >= 2);
    expect(server.log).not.toContain('hunter2');
  });

  it('a role that has logged in cannot act as another one', async () => {
    await setRolePassword(owner, DATABASE_ROLES.dnsApi, 'secret');
    const dnsApi = open(loginUrl(database.url, DATABASE_ROLES.dnsApi, 'secret'));
    for (const role of Object.values(DATABASE_ROLES)) {
      if (role === DATABASE_ROLES.dnsApi) continue;
      await expect(dnsApi.raw('set role ??', [role])).rejects.toMatchObject({ code: '42501' });
    }
  });

  it('the command migrate sets only the given passwords', async () => {
    const storedPassword = async () => {
      const { rows } = await owner.raw<{ rows: unknown[] }>(
        'select rolpassword from pg_authid where rolname = ?',
        [DATABASE_ROLES.nameserver],
      );
      return rows[0];
    };
    const before = await storedPassword();
    const { code, stdout, stderr } = await runMigrate({
      DATABASE_URL: database.url,
      IDENTITY_DATABASE_PASSWORD: `o'dd?\\`,
      DNS_API_DATABASE_PASSWORD: 'dns',
      NAMESERVER_DATABASE_PASSWORD: '',
      OPERATOR_DATABASE_PASSWORD: 'op',
    }).ended;

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe('migrate: the schema is up to date\n');
    expect(await whoLogsIn(DATABASE_ROLES.identityService, `o'dd?\\`)).toBe('zonewright_identity');
    expect(await whoLogsIn(DATABASE_ROLES.dnsApi, 'dns')).toBe('zonewright_dns_api');
    expect(await whoLogsIn(DATABASE_ROLES.operator, 'op')).toBe('zonewright_operator');
    expect(await storedPassword()).toEqual(before);
  });

  it('the command migrate limits the connections of a role, so that one program cannot use up those of others', async () => {
    const env = {
      DATABASE_URL: database.url,
      DNS_API_DATABASE_PASSWORD: 'dns',
      NAMESERVER_DATABASE_PASSWORD: 'ns',
    };
    const logIn = async (role: DatabaseRole, password: string) =>
      (await open(loginUrl(database.url, role, password)).raw('select 1')) as unknown;
    await runMigrate({ ...env, NAMESERVER_DATABASE_CONNECTION_LIMIT: '3' }).ended;
    for (let count = 0; count < 3; count++) await logIn(DATABASE_ROLES.nameserver, 'ns');
    await expect(logIn(DATABASE_ROLES.nameserver, 'ns')).rejects.toMatchObject({ code: '53300' });
    await logIn(DATABASE_ROLES.dnsApi, 'dns');

    const limits = async () => {
      const { rows } = await owner.raw<{ rows: { name: string; most: number }[] }>(
        `select r.rolname as name, r.rolconnlimit as most from pg_roles as r where r.rolname like 'zonewright%' order by 1`,
      );
      return rows.map(({ name, most }) => `${name} ${most}`);
    };
    await runMigrate({ ...env, NAMESERVER_DATABASE_CONNECTION_LIMIT: '0' }).ended;
    expect(await limits()).toContain('zonewright_nameserver -1');
    await runMigrate(env).ended;
    expect(await limits()).toEqual([
      'zonewright_dns_api -1',
      'zonewright_identity -1',
      'zonewright_nameserver 50',
      'zonewright_operator -1',
      'zonewright_signer -1',
    ]);
  });
});

describeWithPrivatePostgres('an owner of the schema who is not a superuser', () => {
  let server: PrivatePostgres;

  beforeAll(async () => {
    server = await PrivatePostgres.start();
  }, 60_000);
  afterAll(async () => {
    await server.stop();
  });

  it('creates the roles, can act as each of them, and sets their passwords', async () => {
    const admin = openDatabase({
      url: server.url,
      applicationName: 'zonewright-test',
      maxConnections: 1,
    });
    await admin.raw(`create role zonewright login createrole password 'owner'`);
    await admin.destroy();
    const database = await createEmptyDatabase(server.url, 'zonewright');
    const url = loginUrl(database.url, 'zonewright', 'owner');
    const owner = openDatabase({ url, applicationName: 'zonewright-test', maxConnections: 1 });
    try {
      await migrate(owner);
      await setRolePassword(owner, DATABASE_ROLES.dnsApi, 'secret');
      expect(await limitRoleConnections(owner, DATABASE_ROLES.nameserver, 7)).toBe(true);
      for (const role of Object.values(DATABASE_ROLES)) {
        const db = openDatabase({
          url: withRole(url, role),
          applicationName: 'zonewright-test',
          maxConnections: 1,
        });
        const { rows } = await db.raw<{ rows: unknown[] }>('select current_user as name');
        await db.destroy();
        expect(rows).toEqual([{ name: role }]);
      }
    } finally {
      await owner.destroy();
    }
  });
});
