import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Database, errorCode, SQLSTATE, violatedConstraint } from '../src/index.js';
import { useTestDatabase } from './support/test-database.js';

const database = useTestDatabase();
const ROLLBACK = new Error('rollback');

/** Returns the constraint that a statement violates, or undefined if it is accepted; all changes are undone. */
async function brokenConstraint(statement: string): Promise<string | undefined> {
  try {
    await database.db.transaction(async (trx: Database) => {
      await trx.raw(statement);
      throw ROLLBACK;
    });
  } catch (error) {
    if (error !== ROLLBACK && violatedConstraint(error) === undefined) throw error;
    return violatedConstraint(error);
  }
  throw new Error('The transaction was not rolled back.');
}

beforeAll(async () => {
  await database.db.raw(`
    insert into identity.account_domains (id, name) values ('d1', 'Default');
    insert into identity.users (id, account_domain_id, name) values ('u1', 'd1', 'ada');
    insert into identity.tenants (id, account_domain_id, name) values ('t1', 'd1', 'Tenant');
    insert into identity.roles (id, name) values ('r1', 'admin');
    insert into identity.role_assignments (user_id, role_id) values ('u1', 'r1');
    insert into identity.services (id, name) values ('s1', 'DNS');
    insert into identity.signing_keys (id, secret_sealed, secret_key_id, is_primary)
      values ('k1', '\\x00', 'e1', true);
    insert into dns.domains (id, tenant_id, name, email, ttl, serial)
      values ('00000000-0000-4000-8000-000000000001', 't1', 'example.com.', 'a@example.com', 3600, 1);
    insert into dns.nameserver_domain (name, email, serial) values ('ns.example.', 'a@ns.example', 1);
    insert into dns.servers (name, position) values ('ns1-1.ns.example.', 1);
  `);
});

const DOMAIN = '00000000-0000-4000-8000-000000000001';

function insertRecord(type: string, columns: Readonly<Record<string, string>> = {}): string {
  const given = { ttl: 'null', priority: 'null', ...columns };
  return `insert into dns.records (domain_id, name, type, data, rdata, rdata_digest, ttl, priority)
    values ('${DOMAIN}', 'example.com.', '${type}', 'x', '\\x00', '\\x00', ${given.ttl}, ${given.priority})`;
}

function insertDomain(name: string, columns: Readonly<Record<string, string>> = {}): string {
  const given = { ttl: '3600', serial: '1', deletedAt: 'null', ...columns };
  return `insert into dns.domains (tenant_id, name, email, ttl, serial, deleted_at)
    values ('t2', '${name}', 'a@x.example', ${given.ttl}, ${given.serial}, ${given.deletedAt})`;
}

function insertAccessKey(columns: Readonly<Record<string, string>> = {}): string {
  const given = {
    id: `'A'`,
    status: `'active'`,
    sealed: `'\\x00'`,
    keyId: `'e1'`,
    validTo: `now() + interval '1 day'`,
    ...columns,
  };
  return `insert into identity.access_keys
      (id, user_id, account_domain_id, algorithm, status, secret_sealed, secret_key_id, valid_from, valid_to)
    values (${given.id}, 'u1', 'd1', 'HmacSHA256', ${given.status}, ${given.sealed}, ${given.keyId}, now(), ${given.validTo})`;
}

describe('values that the schema dns accepts', () => {
  it.each([
    ['DNS s2: each of the seven types', insertRecord('TXT'), undefined],
    ['RFC 8659: another type', insertRecord('CAA'), undefined],
    ['RFC 3597 s5: any type by its number', insertRecord('TYPE65280'), undefined],
    ['a value that is not a type', insertRecord('caa'), 'records_type'],
    [
      'other types have no priority',
      insertRecord('SVCB', { priority: '1' }),
      'records_priority_by_type',
    ],
    ['DNS s2: MX with priority', insertRecord('MX', { priority: '0' }), undefined],
    ['DNS s2: MX needs priority', insertRecord('MX'), 'records_priority_by_type'],
    ['DNS s2: SRV needs priority', insertRecord('SRV'), 'records_priority_by_type'],
    ['DNS s2: A has none', insertRecord('A', { priority: '0' }), 'records_priority_by_type'],
    ['D-REC: priority to 65535', insertRecord('MX', { priority: '65536' }), 'records_priority'],
    ['D-REC: ttl from 0', insertRecord('A', { ttl: '-1' }), 'records_ttl'],
    [
      'D-ZONE: one record of a name, type and data',
      `${insertRecord('A')}; ${insertRecord('A')}`,
      'records_unique',
    ],
    [
      'a record without a domain',
      insertRecord('A').replace(DOMAIN, '00000000-0000-4000-8000-00000000000f'),
      'records_domain',
    ],
    ['D-REC: a name exists once', insertDomain('example.com.'), 'domains_name_unique'],
    [
      'a tombstone with the name of an existing domain',
      insertDomain('example.com.', { deletedAt: 'now()' }),
      undefined,
    ],
    ['D-ZONE: ttl of a domain from 0', insertDomain('x.', { ttl: '-1' }), 'domains_ttl'],
    [
      'RFC 1982: a serial has 32 bits',
      insertDomain('x.', { serial: '4294967296' }),
      'domains_serial',
    ],
    ['RFC 1982: the highest serial', insertDomain('x.', { serial: '4294967295' }), undefined],
    [
      'a number of records is never below 0',
      `update dns.domains set record_count = -1`,
      'domains_record_count',
    ],
    [
      'a change has a known action',
      `insert into dns.zone_changes (domain_id, serial_after, action, user_id, request_id)
        values ('${DOMAIN}', 1, 'domain-rename', 'u', 'r')`,
      'zone_changes_action',
    ],
    [
      'one nameserver at each position',
      `insert into dns.servers (name, position) values ('ns1-2.ns.example.', 1)`,
      'servers_position_unique',
    ],
    [
      'one nameserver of each name',
      `insert into dns.servers (name, position) values ('ns1-1.ns.example.', 2)`,
      'servers_name_unique',
    ],
    ['an IPv4 address in ipv4', `update dns.servers set ipv4 = '2001:db8::1'`, 'servers_ipv4'],
    ['an IPv6 address in ipv6', `update dns.servers set ipv6 = '192.0.2.1'`, 'servers_ipv6'],
    [
      'one nameserver domain',
      `insert into dns.nameserver_domain (name, email, serial) values ('b.', 'a@b', 1)`,
      'nameserver_domain_pkey',
    ],
    [
      'not even under another key',
      `insert into dns.nameserver_domain (is_only, name, email, serial) values (false, 'b.', 'a@b', 1)`,
      'nameserver_domain_one_row',
    ],
    [
      'a quota is never below 0',
      `insert into dns.quotas (tenant_id, max_domains) values ('t', -1)`,
      'quotas_max_domains',
    ],
  ])('%s', async (_, statement, constraint) => {
    expect(await brokenConstraint(statement)).toBe(constraint);
  });
});

describe('values that the schema identity accepts', () => {
  it.each([
    ['an access key', insertAccessKey(), undefined],
    [
      'Identity s2: an access key id of up to 999 characters',
      insertAccessKey({ id: `repeat('A', 999)` }),
      undefined,
    ],
    [
      'Identity s2: not longer',
      insertAccessKey({ id: `repeat('A', 1000)` }),
      'access_keys_id_length',
    ],
    [
      'D-ACC: expired is no stored status',
      insertAccessKey({ status: `'expired'` }),
      'access_keys_status',
    ],
    ['D-ACC: validTo after validFrom', insertAccessKey({ validTo: 'now()' }), 'access_keys_period'],
    [
      'D-ACC: an active key has its secret',
      insertAccessKey({ sealed: 'null', keyId: 'null' }),
      'access_keys_secret',
    ],
    [
      'D-ACC: a deleted key has lost it',
      insertAccessKey({ status: `'deleted'`, sealed: 'null', keyId: 'null' }),
      undefined,
    ],
    [
      'a sealed secret names the key that sealed it',
      insertAccessKey({ keyId: 'null' }),
      'access_keys_secret',
    ],
    [
      'D-ID: ids of 1-64 characters',
      `insert into identity.roles (id, name) values (repeat('r', 64), 'x')`,
      undefined,
    ],
    [
      'D-ACC: no longer id',
      `insert into identity.roles (id, name) values (repeat('r', 65), 'x')`,
      'opaque_id_length',
    ],
    [
      'D-ACC: no empty id',
      `insert into identity.roles (id, name) values ('', 'x')`,
      'opaque_id_length',
    ],
    [
      'a user name exists once, in whichever account domain',
      `insert into identity.users (id, account_domain_id, name) values ('u2', 'd1', 'ada')`,
      'users_name_unique',
    ],
    ['a known status of users', `update identity.users set status = 'gone'`, 'users_status'],
    [
      'a tenant name exists once',
      `insert into identity.tenants (id, account_domain_id, name) values ('t2', 'd1', 'Tenant')`,
      'tenants_name_unique',
    ],
    [
      'a role is held once, on the account domain too',
      `insert into identity.role_assignments (user_id, role_id) values ('u1', 'r1')`,
      'role_assignments_unique',
    ],
    [
      'Identity s1: a known release state',
      `insert into identity.endpoints (id, service_id, region, public_url, release_state)
        values ('e', 's1', 'r', 'http://x', 'alpha')`,
      'endpoints_release_state',
    ],
    [
      'one primary signing key',
      `insert into identity.signing_keys (id, secret_sealed, secret_key_id, is_primary)
        values ('k2', '\\x00', 'e1', true)`,
      'signing_keys_one_primary',
    ],
    [
      'any number of others',
      `insert into identity.signing_keys (id, secret_sealed, secret_key_id)
        values ('k2', '\\x00', 'e1'), ('k3', '\\x00', 'e1')`,
      undefined,
    ],
  ])('%s', async (_, statement, constraint) => {
    expect(await brokenConstraint(statement)).toBe(constraint);
  });

  it('a user is deleted with all of its data', async () => {
    await expect(
      database.db.transaction(async (trx) => {
        await trx.raw(`${insertAccessKey()}; delete from identity.users where id = 'u1'`);
        const { rows } = await trx.raw<{ rows: unknown[] }>(
          'select from identity.access_keys union all select from identity.role_assignments',
        );
        expect(rows).toEqual([]);
        throw ROLLBACK;
      }),
    ).rejects.toBe(ROLLBACK);
  });

  it('a deleted tenant loses its activations and assignments; an account domain in use cannot be deleted', async () => {
    const error: unknown = await database.db
      .raw(`delete from identity.account_domains`)
      .catch((reason: unknown) => reason);

    expect(errorCode(error)).toBe(SQLSTATE.foreignKeyViolation);
  });
});
