import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  generateKeyringText,
  parseKeyring,
  secretIdentity,
  verifyPassword,
} from '@zonewright/database';
import { createAccessKey } from '@zonewright/accounts';
import { bootstrap, type BootstrapResult } from '../src/index.js';
import { setNameserverDomain } from '@zonewright/zones';
import { BOOTSTRAP_OPTIONS, keyring, useOperatorDatabase } from './use-operator-database.js';

const database = useOperatorDatabase();

/** Returns the rows of one statement, as the owner of the schema sees them. */
async function select<T>(statement: string): Promise<T[]> {
  const { rows } = await database.owner.db.raw<{ rows: T[] }>(statement);
  return rows;
}

/** Returns every row of every table that bootstrap writes, as text. */
async function dump(): Promise<string> {
  const tables = [
    'identity.account_domains',
    'identity.users',
    'identity.roles',
    'identity.role_assignments',
    'identity.services',
    'identity.service_types',
    'identity.service_required_roles',
    'identity.endpoints',
    'identity.access_keys',
    'identity.signing_keys',
    'dns.nameserver_domain',
    'dns.servers',
  ];
  const contents: unknown[] = [];
  for (const table of tables)
    contents.push(await select(`select t.* from ${table} as t order by 1`));
  return JSON.stringify(contents);
}

describe('bootstrap', () => {
  let result: BootstrapResult;

  beforeAll(async () => {
    result = await bootstrap(database.db, keyring, BOOTSTRAP_OPTIONS);
  });

  it('creates the first administrator, whose generated password is stored', async () => {
    const [user] = await select<{ id: string; hash: string; domain: string }>(
      `select id, password_hash as hash, account_domain_id as domain from identity.users where name = 'admin'`,
    );
    expect(user).toMatchObject({ id: result.administratorId, domain: 'default' });
    expect(await verifyPassword(user!.hash, result.secrets.administratorPassword!)).toBe(true);
  });

  it('creates the roles, each for the service that needs it, and grants them to the first users', async () => {
    const roles = await select(
      `select r.name, s.name as service from identity.roles as r
         join identity.services as s on s.id = r.service_id order by r.name`,
    );
    expect(roles).toEqual([
      { name: 'admin', service: 'Identity' },
      { name: 'dns-admin', service: 'DNS' },
      { name: 'dns-cloud-admin', service: 'DNS' },
      { name: 'dns-operator', service: 'DNS' },
      { name: 'identity-operator', service: 'Identity' },
      { name: 'member', service: 'Identity' },
      { name: 'service', service: 'Identity' },
    ]);
    const assignments = await select(
      `select u.name as user, r.name as role, a.tenant_id as tenant from identity.role_assignments as a
         join identity.users as u on u.id = a.user_id join identity.roles as r on r.id = a.role_id order by 1`,
    );
    expect(assignments).toEqual([
      { user: 'admin', role: 'admin', tenant: null },
      { user: 'dns-api', role: 'service', tenant: null },
    ]);
  });

  it('D-ID: creates a global identity entry with an adminURL', async () => {
    const entries = await select(
      `select s.is_global, t.type, e.region, e.public_url, e.internal_url, e.admin_url, e.version_id,
              e.version_info, e.version_list
         from identity.services as s join identity.service_types as t on t.service_id = s.id
         join identity.endpoints as e on e.service_id = s.id where s.name = 'Identity'`,
    );
    expect(entries).toEqual([
      {
        is_global: true,
        type: 'identity',
        region: 'US-West',
        public_url: 'http://identity.test:35357/v2.0/',
        internal_url: 'http://identity.test:35357/v2.0/',
        admin_url: 'http://identity.test:35357/v2.0/',
        version_id: '2.0',
        version_info: 'http://identity.test:35357/v2.0/',
        version_list: 'http://identity.test:35357',
      },
    ]);
  });

  it('D-ID-50: creates a DNS entry that has type ext:dns, ends in /v1/, and needs the role dns-admin', async () => {
    const entries = await select(
      `select s.id, s.is_global, t.type, e.public_url, e.public_url2, r.name as role
         from identity.services as s join identity.service_types as t on t.service_id = s.id
         join identity.endpoints as e on e.service_id = s.id
         join identity.service_required_roles as q on q.service_id = s.id
         join identity.roles as r on r.id = q.role_id where s.name = 'DNS'`,
    );
    expect(entries).toEqual([
      {
        id: result.dnsServiceId,
        is_global: false,
        type: 'ext:dns',
        public_url: 'http://dns.test:9001/v1/',
        public_url2: '',
        role: 'dns-admin',
      },
    ]);
  });

  it("Designate v2: creates an entry of type dns with a URL without version, and with the DNS entry's role", async () => {
    const entries = await select(
      `select s.name, s.is_global, t.type, e.public_url, r.name as role
         from identity.services as s join identity.service_types as t on t.service_id = s.id
         join identity.endpoints as e on e.service_id = s.id
         join identity.service_required_roles as q on q.service_id = s.id
         join identity.roles as r on r.id = q.role_id where t.type = 'dns'`,
    );
    expect(entries).toEqual([
      {
        name: 'designate',
        is_global: false,
        type: 'dns',
        public_url: 'http://dns.test:9001',
        role: 'dns-admin',
      },
    ]);
  });

  it('D-NS: creates six nameservers in the nameserver domain, the first of which is MNAME', async () => {
    const domains = await select(
      `select name, email, serial > 1700000000 as dated from dns.nameserver_domain`,
    );
    expect(domains).toEqual([{ name: 'dns.test.', email: 'hostmaster@dns.test', dated: true }]);
    const servers = await select(
      `select name, position, host(ipv4) as ipv4, ipv6 from dns.servers order by position`,
    );
    expect(servers).toEqual(
      [1, 2, 3, 4, 5, 6].map((n) => ({
        name: `ns1-${n}.dns.test.`,
        position: n,
        ipv4: `192.0.2.${n}`,
        ipv6: null,
      })),
    );
  });

  it('creates an access key of D-ID for dns-api and seals its secret for its row', async () => {
    const { serviceAccessKey, serviceSecretKey } = result.secrets;
    expect(serviceAccessKey).toMatch(/^[A-Z0-9]{20}$/);
    expect(serviceSecretKey).toMatch(/^[A-Za-z0-9+/]{40}$/);
    const [key] = await select<{ sealed: Buffer; keyId: string }>(
      `select k.secret_sealed as sealed, k.secret_key_id as "keyId" from identity.access_keys as k
         join identity.users as u on u.id = k.user_id and u.name = 'dns-api'`,
    );
    const opened = keyring.open(key!, secretIdentity.accessKey(serviceAccessKey!));
    expect(opened.toString()).toBe(serviceSecretKey);
  });

  it('creates one primary signing key of 32 octets', async () => {
    const keys = await select<{ id: string; sealed: Buffer; keyId: string; is_primary: boolean }>(
      `select id, secret_sealed as sealed, secret_key_id as "keyId", is_primary from identity.signing_keys`,
    );
    expect(keys).toMatchObject([{ is_primary: true }]);
    expect(keyring.open(keys[0]!, secretIdentity.signingKey(keys[0]!.id))).toHaveLength(32);
  });

  it('lists the created objects', () => {
    expect(result.created).toEqual(
      expect.arrayContaining(['role dns-admin', 'user admin', 'nameserver ns1-6.dns.test.']),
    );
  });

  it('run again, changes nothing and prints no secret', async () => {
    const before = await dump();
    const again = await bootstrap(database.db, keyring, {
      ...BOOTSTRAP_OPTIONS,
      administratorPassword: 'another',
      identityUrl: 'http://elsewhere.test',
    });
    expect(again).toEqual({ ...result, created: [], secrets: {} });
    expect(await dump()).toBe(before);
  });

  it('run again, completes only what is missing', async () => {
    await database.owner.db.raw(`update identity.access_keys set status = 'revoked'`);
    const again = await bootstrap(database.db, keyring, {
      ...BOOTSTRAP_OPTIONS,
      region: 'US-East',
      dnsServiceTypes: ['ext:dns', 'hpext:dns'],
    });
    expect(again.created).toEqual([
      'endpoint of service Identity in region US-East',
      'type hpext:dns of service DNS',
      'endpoint of service DNS in region US-East',
      'endpoint of service designate in region US-East',
      `access key ${again.secrets.serviceAccessKey!} of user dns-api`,
    ]);
  });

  it("run again, keeps the operator's list of nameservers", async () => {
    await database.owner.db.raw(`delete from dns.servers where name = 'ns1-4.dns.test.'`);
    await setNameserverDomain(database.db, { name: 'other.test', email: 'hostmaster@other.test' });
    const before = await dump();
    expect((await bootstrap(database.db, keyring, BOOTSTRAP_OPTIONS)).created).toEqual([]);
    expect(await dump()).toBe(before);
  });

  it('run twice at once, creates everything once', async () => {
    const options = { ...BOOTSTRAP_OPTIONS, administratorName: 'second-admin' };
    const results = await Promise.all([
      bootstrap(database.db, keyring, options),
      bootstrap(database.db, keyring, options),
    ]);
    expect(results.map(({ created }) => created.length).sort()).toEqual([0, 2]);
  });

  describe('with the access key that dns-api is configured with already', () => {
    const serviceAccessKey = { id: 'GIVENKEY000000000000', secretKey: 'given secret' };

    it('imports the key once and prints no secret', async () => {
      const options = { ...BOOTSTRAP_OPTIONS, serviceAccessKey };
      const first = await bootstrap(database.db, keyring, options);
      expect(first.created).toEqual(['access key GIVENKEY000000000000 of user dns-api']);
      expect(first.secrets).toEqual({});
      const second = await bootstrap(database.db, keyring, options);
      expect(second.created).toEqual([]);
    });

    it('refuses a key that exists with another secret key', async () => {
      const changed = { ...serviceAccessKey, secretKey: 'changed' };
      await expect(
        bootstrap(database.db, keyring, { ...BOOTSTRAP_OPTIONS, serviceAccessKey: changed }),
      ).rejects.toMatchObject({ kind: 'conflict' });
    });

    it('refuses a key that belongs to another user', async () => {
      const { id, secretKey } = await createAccessKey(database.db, keyring, { user: 'admin' });
      await expect(
        bootstrap(database.db, keyring, {
          ...BOOTSTRAP_OPTIONS,
          serviceAccessKey: { id, secretKey },
        }),
      ).rejects.toMatchObject({ kind: 'conflict' });
    });
  });

  it('creates all objects or none', async () => {
    await database.owner.db.raw('delete from dns.servers');
    const before = await dump();
    await expect(
      bootstrap(database.db, keyring, {
        ...BOOTSTRAP_OPTIONS,
        administratorName: 'never-made',
        nameservers: [{ name: 'ns1-9', ipv4: '1.2.3' }],
      }),
    ).rejects.toMatchObject({ kind: 'invalid' });
    expect(await dump()).toBe(before);
  });
});

describe('bootstrap of an installation that stands elsewhere or lost its key', () => {
  beforeAll(async () => {
    await bootstrap(database.db, keyring, BOOTSTRAP_OPTIONS);
  });
  const publicUrls = () =>
    select(`select public_url as url from identity.endpoints where region = 'US-West' order by 1`);

  it('keeps endpoints unless it is told to move them', async () => {
    const elsewhere = {
      ...BOOTSTRAP_OPTIONS,
      identityUrl: 'http://moved.test',
      dnsUrl: 'http://moved.test',
    };
    const before = await publicUrls();
    await bootstrap(database.db, keyring, elsewhere);
    expect(await publicUrls()).toEqual(before);
    await bootstrap(database.db, keyring, { ...elsewhere, moveEndpoints: true });
    expect(await publicUrls()).toEqual([
      { url: 'http://moved.test' },
      { url: 'http://moved.test/v1/' },
      { url: 'http://moved.test/v2.0/' },
    ]);
  });

  it('stops if the encryption key does not open existing secrets', async () => {
    const other = parseKeyring(generateKeyringText('test'));
    await expect(bootstrap(database.db, other, BOOTSTRAP_OPTIONS)).rejects.toThrow(
      'use the ENCRYPTION_KEYS of its installation',
    );
  });
});
