import { afterEach, describe, expect, it } from '@jest/globals';
import { DATABASE_ROLES, generateKeyringText, openDatabase } from '@zonewright/database';
import { readSettings } from '@zonewright/service-kit';
import {
  describeWithPgbouncer,
  describeWithRedis,
  FakeClock,
  freePort,
  PrivatePgbouncer,
  PrivateRedis,
  waitFor,
} from '@zonewright/testkit';
import { Redis } from 'ioredis';
import { checkDatabaseClock } from '../src/doctor/check-host.js';
import { ADMIN_SETTINGS } from '../src/settings/settings.js';
import { diagnoseInstallation } from './diagnose-installation.js';
import { runCommand, useInstallation } from './run-command.js';
import { keyringText } from './use-operator-database.js';

const installation = useInstallation();
/** The parameters that a pooler must ignore for this command (docs/operations/high-availability.md). */
const IGNORED = 'statement_timeout, idle_in_transaction_session_timeout, options';

const diagnose = (env?: Record<string, string | undefined>) =>
  diagnoseInstallation(installation, env);

/** `npm test` runs its PostgreSQL without fsync, which doctor reports. */
const NOT_DURABLE = /^error: fsync or full_page_writes of PostgreSQL is off/;
async function isDurable(): Promise<boolean> {
  const [row] = await installation.select<{ fsync: string }>('show fsync');
  return row?.fsync === 'on';
}

/** Statements that undo changes after the test, as the owner of the schema. */
const undo: string[] = [];
async function change(statement: string, undoStatement: string): Promise<void> {
  undo.unshift(undoStatement);
  await installation.select(statement);
}
afterEach(async () => {
  for (const statement of undo.splice(0)) await installation.select(statement);
});

describeWithPgbouncer('doctor behind pgbouncer', () => {
  it('warns that its long operations need a session', async () => {
    const url = installation.env['DATABASE_URL'] ?? '';
    const pooler = await PrivatePgbouncer.start(url, DATABASE_ROLES.operator, IGNORED);
    try {
      const { of } = await diagnose({ DATABASE_URL: pooler.url });
      expect(of('sessions')).toMatchObject([
        expect.stringMatching(/^warning: .* points to a connection pooler/),
      ]);
    } finally {
      await pooler.stop();
    }
  });
});

describe('doctor', () => {
  it('explains why PostgreSQL refuses a change', async () => {
    const url = new URL(installation.env['DATABASE_URL'] ?? '');
    url.searchParams.set('options', '-c default_transaction_read_only=on');
    const { of, exitCode } = await diagnose({ DATABASE_URL: url.toString() });
    expect(of('writes')).toEqual([
      expect.stringMatching(
        /^error: PostgreSQL refuses changes: it does not accept changes \(SQLSTATE 25006/,
      ),
    ]);
    expect(exitCode).not.toBe(0);
  });

  it('finds no faults in database, schema, rights, clock, keys, feed and zones of a new installation', async () => {
    const { of } = await diagnose();
    const areas = [
      'configuration',
      'database',
      'schema',
      'rights',
      'writes',
      'disk',
      'clock',
      'keys',
      'feed',
      'zones',
    ];
    for (const area of areas) {
      expect(of(area)).not.toEqual([]);
      expect(
        of(area).filter((finding) => !finding.startsWith('ok:') && !NOT_DURABLE.test(finding)),
      ).toEqual([]);
    }
  });

  it('reports a service that is connected without its listeners', async () => {
    expect((await diagnose()).of('sessions')).toMatchObject([expect.stringMatching(/^ok: /)]);
    const url = installation.env['DATABASE_URL'] ?? '';
    const db = openDatabase({ url, applicationName: 'zonewright-identity', maxConnections: 1 });
    try {
      await db.raw('select 1');
      expect((await diagnose()).of('sessions')).toMatchObject([
        expect.stringMatching(
          /^error: zonewright-identity is connected, but zonewright-identity-listen is not.* DATABASE_SESSION_URL/,
        ),
      ]);
    } finally {
      await db.destroy();
    }
  });

  it('reports a PostgreSQL that may lose confirmed data as an error, and still runs the other checks', async () => {
    const { of } = await diagnose();
    expect(of('database').some((finding) => NOT_DURABLE.test(finding))).toBe(!(await isDurable()));
    expect(of('nameservers')).not.toEqual([]);
  });

  it('reports the size of the database, and warns from DOCTOR_DATABASE_BYTES on', async () => {
    const form = /uses \d+\.\d MiB; its largest tables: (dns|identity)\.\w+ \d+\.\d KiB, /;
    expect((await diagnose()).of('disk')).toEqual([expect.stringMatching(form)]);
    const { of } = await diagnose({ DOCTOR_DATABASE_BYTES: '1000' });
    expect(of('disk')).toEqual([
      expect.stringMatching(/^warning: .* more than DOCTOR_DATABASE_BYTES/),
    ]);
  });

  it('ADR 0025: reports how many zones lack the latest SOA times, and warns if the rollout has stopped', async () => {
    await change(
      `insert into dns.domains (tenant_id, name, email, ttl, serial) values ('1', 'zone.test.', 'a@b.test', 3600, 1)`,
      'delete from dns.domains',
    );
    await installation.select('update dns.service_settings set soa_retry = soa_retry + 1');
    expect((await diagnose()).of('zones')).toEqual([
      expect.stringMatching(/^ok: Zones that .+ yet: 1; they are being updated\.$/),
    ]);
    await installation.select(
      `update dns.apex_versions set created_at = now() - interval '2 minutes'`,
    );
    expect((await diagnose()).of('zones')).toEqual([
      expect.stringMatching(/^warning: Zones that .+ yet: 1; none has been updated for 12\d s\./),
    ]);
  });

  it('ADR 0025: warns of a nameserver whose environment differs from the database', async () => {
    await change(
      `insert into dns.nameserver_status (name, address, software, version, read_at, applied_before, zones, image_bytes, started_at,
                                          applied_at, heartbeat_at, ignored_settings)
       values ('ns1-1', '127.0.0.1:1', 'test', '0.1.0', now(), '1', 0, 0, now(), now(), now(), 'NAMESERVER_SOA_RETRY_SECONDS=7')`,
      'delete from dns.nameserver_status',
    );
    expect((await diagnose()).of('zones')).toEqual([
      expect.stringMatching(/^ok: All zones have/),
      expect.stringMatching(/^warning: ns1-1 has settings .+: NAMESERVER_SOA_RETRY_SECONDS=7\./),
    ]);
  });

  it('prints one line for each finding for people, with the remedy below, and a summary', async () => {
    const { stdout, exitCode } = await runCommand(['doctor'], installation.env);
    const errors = (await isDurable()) ? 0 : 1;
    expect(exitCode).toBe(1 + errors);
    expect(stdout).toMatch(/^ok {7}schema +The schema matches these programs\.$/m);
    expect(stdout).toMatch(
      /^warning {2}nameservers +ns1-1\.dns\.test\. is in the list, .+\n +-> Start it/m,
    );
    expect(stdout).toMatch(new RegExp(`\\n${errors} errors?, \\d+ warnings\\.\\n$`));
  });

  it('reports an error for each invalid setting, without secrets', async () => {
    const { exitCode, of, text } = await diagnose({
      ENCRYPTION_KEYS: 'a-secret-without-form',
      REDIS_URL: 'http://no-redis.test',
    });
    expect(exitCode).toBe(2);
    expect(of('configuration')).toEqual([
      expect.stringMatching(/^error: ENCRYPTION_KEYS is malformed/),
      expect.stringMatching(/^error: REDIS_URL must be a URL that starts with redis:/),
    ]);
    expect(text).not.toContain('a-secret-without-form');
  });

  it('reports dangerous settings: common passwords, keys that are not random, disabled rate limits', async () => {
    const { of, text } = await diagnose({
      REDIS_URL: 'redis://:changeme@192.0.2.1:6379',
      ENCRYPTION_KEYS: `${keyringText},zero:${Buffer.alloc(32).toString('base64')}`,
      RATE_LIMITS: 'false',
    });
    expect(of('configuration')).toEqual([
      expect.stringMatching(/^warning: REDIS_URL has a password that is easy to guess\./),
      expect.stringMatching(/^warning: The encryption key zero is not random\./),
      expect.stringMatching(/^warning: RATE_LIMITS is false/),
    ]);
    expect(text).not.toContain('changeme');
    expect(text).not.toContain(keyringText.split(':')[1]);
  });

  it('reports an unavailable PostgreSQL as an error, and still runs the other checks', async () => {
    const url = `postgres://someone:hidden-word@127.0.0.1:${await freePort()}/zonewright`;
    const { exitCode, of, text } = await diagnose({ DATABASE_URL: url });
    expect(exitCode).toBe(2);
    expect(of('database')).toEqual([expect.stringContaining('could not be checked')]);
    expect(of('configuration')).not.toEqual([]);
    expect(text).not.toContain('hidden-word');
  });

  it('reports a missing migration as an error, and recommends migrate', async () => {
    await change(
      `delete from zonewright_migrations where name = '0003-roles'`,
      `insert into zonewright_migrations (name, batch, migration_time) values ('0003-roles', 1, now())`,
    );
    const { exitCode, of } = await diagnose();
    expect(exitCode).toBe(2);
    expect(of('schema')).toEqual([
      'error: The schema is older than these programs; missing: 0003-roles. ' +
        '-> Run migrate (npm run db:migrate, or the container migrate).',
    ]);
  });

  it('warns of a schema of a newer version', async () => {
    await change(
      `insert into zonewright_migrations (name, batch, migration_time) values ('9999-later', 2, now())`,
      `delete from zonewright_migrations where name = '9999-later'`,
    );
    expect((await diagnose()).of('schema')).toEqual([
      expect.stringMatching(/^warning: .+newer .+ 9999-later/),
    ]);
  });

  it('reports a missing right as an error and an additional one as a warning, each with the statement that fixes it', async () => {
    await change(
      'revoke update on dns.domains from zonewright_dns_api',
      'grant update on dns.domains to zonewright_dns_api',
    );
    await change(
      'grant usage on schema identity to zonewright_nameserver; grant select on identity.users to zonewright_nameserver',
      'revoke select on identity.users from zonewright_nameserver; revoke usage on schema identity from zonewright_nameserver',
    );
    const { exitCode, of } = await diagnose();
    expect(exitCode).toBe(2);
    expect(of('rights')).toEqual([
      'error: zonewright_dns_api lacks the privilege UPDATE on dns.domains, which it needs. -> As the owner: ' +
        'grant usage on schema dns to zonewright_dns_api; grant update on dns.domains to zonewright_dns_api;',
      'warning: zonewright_nameserver has the privilege SELECT on identity.users, which it should not have. -> As the owner: ' +
        'revoke select on identity.users from zonewright_nameserver, public;',
    ]);
  });

  it('reports rows that are sealed with other encryption keys as an error', async () => {
    const { exitCode, of } = await diagnose({ ENCRYPTION_KEYS: generateKeyringText('other') });
    expect(exitCode).toBe(2);
    expect(of('keys').at(-1)).toMatch(
      /^error: 2 secrets cannot be decrypted with ENCRYPTION_KEYS: signing key \w+ \(encrypted with key test\), access key/,
    );
  });

  it('warns of a rotation of encryption keys that was not completed', async () => {
    const { of } = await diagnose({
      ENCRYPTION_KEYS: `${generateKeyringText('next')},${keyringText}`,
    });
    expect(of('keys').at(-1)).toMatch(/^warning: .+ test \(opens\): 2\. -> Run .+ reseal/);
  });

  it('reports a missing signing key as an error', async () => {
    await change(
      `update identity.signing_keys set is_primary = false`,
      `update identity.signing_keys set is_primary = true`,
    );
    expect((await diagnose()).of('keys')[0]).toMatch(/^error: There is no signing key for tokens/);
  });

  it.each([
    [3600, 'error'],
    [-10, 'warning'],
    [1, 'ok'],
  ])('reports a clock that is %d s off: %s', async (seconds, level) => {
    const clock = new FakeClock(Date.now() + seconds * 1000);
    const settings = readSettings(ADMIN_SETTINGS, installation.env);
    const [finding] = await checkDatabaseClock({
      settings,
      env: installation.env,
      db: installation.db,
      clock,
    });
    expect(finding).toMatchObject({ area: 'clock', level });
  });

  it('warns of a restored dump with positions of another cluster, and recommends to reset the feed', async () => {
    await change(
      `insert into dns.domains (tenant_id, name, email, ttl, serial, changed_in)
       values ('t', 'restored.example.', 'a@example.org', 60, 1, '999999999999')`,
      `delete from dns.domains`,
    );
    expect((await diagnose()).of('feed')).toEqual([
      expect.stringMatching(/^warning: 1 zones, .+ -> Run zonewright-admin feed reset/),
    ]);
  });

  it('reports signed domains whose signatures expire soon, which the signer skipped, or which wait too long', async () => {
    const sign = async (
      name: string,
      state: string,
      changed: string,
      next: string,
      end: string,
    ) => {
      await change(
        `insert into dns.domains (tenant_id, name, email, ttl, serial) values ('t', '${name}', 'a@b.example', 300, 1)`,
        `delete from dns.domains where name = '${name}'`,
      );
      const id = `(select id from dns.domains where name = '${name}')`;
      await change(
        `insert into dns.zone_dnssec (domain_id, state, algorithm, signed_serial, changed_at, next_resign_at)
         values (${id}, '${state}', 13, 1, now() - interval '${changed}', now() + interval '${next}')`,
        `delete from dns.zone_dnssec where domain_id = ${id}`,
      );
      await change(
        `insert into dns.signed_names (domain_id, canonical, records, resign_at)
         values (${id}, '', '', now() + interval '${end}' - interval '14 days')`,
        `delete from dns.signed_names where domain_id = ${id}`,
      );
    };
    const lookAt = async () => (await diagnose()).of('signing');
    expect(await lookAt()).toEqual(['ok: No domain is signed.']);
    await sign('fine.example.', 'signed', '30 days', '1 day', '15 days');
    expect(await lookAt()).toEqual(['ok: 1 domain(s) are signed, and the signer maintains them.']);
    await sign('soon.example.', 'signed', '30 days', '-1 hour', '9 days');
    await sign('first.example.', 'signing', '2 hours', '-2 hours', '1 day');
    expect(await lookAt()).toEqual([
      expect.stringMatching(/^warning: Signatures of soon\.example\. may expire at /),
      expect.stringMatching(/^error: The signer should have checked 1 signed domain/),
      expect.stringMatching(/^warning: 1 domain\(s\) have been waiting for their first/),
    ]);
    await sign('left.example.', 'leaving', '8 days', '1 hour', '4 days');
    expect(await lookAt()).toEqual([
      expect.stringMatching(/^error: Signatures of left\.example\. may expire at /),
      expect.stringMatching(/^error: The signer/),
      expect.stringMatching(/^warning: 1 .* first signatures/),
      expect.stringMatching(/^warning: 1 .* deletion of their DS record/),
    ]);
  });

  it('reports a service user without a usable key as an error', async () => {
    await change(
      `update identity.access_keys set status = 'inactive'`,
      `update identity.access_keys set status = 'active'`,
    );
    expect((await diagnose()).of('service user')).toEqual([
      expect.stringMatching(/^error: No service user has a usable access key/),
    ]);
  });

  it('reports a service that is not ready or not reachable as an error', async () => {
    const port = await freePort();
    const { exitCode, of } = await diagnose({
      DOCTOR_READY_URLS: `http://127.0.0.1:${port}`,
      IDENTITY_URL: `http://127.0.0.1:${port}`,
    });
    expect(exitCode).toBe(2);
    expect(of('services')).toEqual([expect.stringContaining('does not respond (ECONNREFUSED)')]);
    expect(of('catalog')[0]).toMatch(/^error: Nothing responds at http:\/\/identity\.test:35357/);
  });

  it('reports a snapshot folder that cannot be written as an error', async () => {
    const { of } = await diagnose({ NAMESERVER_SNAPSHOT_DIR: '/nowhere/at/all' });
    expect(of('snapshots')).toEqual([expect.stringMatching(/^error: Snapshots cannot be written/)]);
  });
});

describe('doctor, nameservers', () => {
  async function addStatus(name: string, silent: string, address: string): Promise<void> {
    await change(
      `insert into dns.nameserver_status (name, address, software, version, read_at, applied_before, zones, image_bytes, started_at,
         applied_at, heartbeat_at)
       values ('${name}', '${address}', 'zonewright-nameserver', '0.1.0', now(), pg_snapshot_xmin(pg_current_snapshot()), 0, 1,
         now(), now(), now() - interval '${silent}')`,
      `delete from dns.nameserver_status where name = '${name}'`,
    );
  }

  it('reports a nameserver that has died as an error, with the time since its last report', async () => {
    await addStatus('ns1-3', '1 hour', '127.0.0.1:53');
    const { exitCode, of } = await diagnose();
    expect(exitCode).toBe(2);
    expect(of('nameservers')).toContainEqual(
      expect.stringMatching(/^error: ns1-3 has not reported for 360\d s\./),
    );
  });

  it('reports a running nameserver that does not answer as an error, with its address', async () => {
    const port = await freePort();
    await addStatus('ns1-2', '0 s', `127.0.0.1:${port}`);
    expect((await diagnose()).of('nameservers')).toContainEqual(
      expect.stringMatching(
        `^error: ns1-2 at 127\\.0\\.0\\.1:${port} does not answer for dns\\.test\\.`,
      ),
    );
  });

  it('reports a running nameserver that does not apply changes as an error', async () => {
    await change(
      `insert into dns.domains (id, tenant_id, name, email, ttl, serial)
       values ('00000000-0000-4000-8000-000000000001', 't', 'a.example.', 'a@example.org', 60, 1)`,
      `delete from dns.domains`,
    );
    await addStatus('ns1-4', '0 s', '0.0.0.0:53');
    await installation.select(
      `update dns.nameserver_status set applied_before = '3'; insert into dns.zone_changes (domain_id, serial_after,
         action, user_id, request_id, changed_at, changed_in)
       values ('00000000-0000-4000-8000-000000000001', 1, 'domain-create', 'u', 'r', now() - interval '1 minute', '4')`,
    );
    expect((await diagnose()).of('nameservers')).toContainEqual(
      expect.stringMatching(/^error: ns1-4 is running, but has not applied 1 of the last changes/),
    );
  });

  it('accepts a removed nameserver, whether its process ends before or after the removal', async () => {
    await installation.run('nameserver add ns1-7 --ipv4 192.0.2.7');
    await addStatus('ns1-7', '1 hour', '127.0.0.1:53');
    expect((await diagnose()).of('nameservers').join()).toContain('error: ns1-7 has not reported');
    expect((await installation.run('nameserver remove ns1-7')).exitCode).toBe(0);
    expect((await diagnose()).of('nameservers').join()).not.toContain('ns1-7');

    // The nameserver has run for a while and reported its status.
    await addStatus('ns1-7', '1 hour', '127.0.0.1:53');
    expect((await diagnose()).of('nameservers')).toContainEqual(
      expect.stringMatching(
        /^ok: ns1-7 is not in the list and has not reported for 360\d s; nameserver remove ns1-7/,
      ),
    );
    expect(await installation.run('nameserver remove ns1-7')).toMatchObject({
      exitCode: 0,
      stdout: 'ns1-7 was not in the list; the last status of its process was deleted.\n',
    });
    expect((await diagnose()).of('nameservers').join()).not.toContain('ns1-7');
    expect((await installation.run('nameserver remove ns1-7')).exitCode).toBe(3);
  });

  it('warns of a nameserver that is not in the list', async () => {
    await addStatus('ns9', '0 s', '0.0.0.0:53');
    expect((await diagnose()).of('nameservers')).toContainEqual(
      expect.stringMatching(/^warning: ns9 is running, but is not in the list/),
    );
  });
});

describeWithRedis('doctor, Redis', () => {
  it('reports that Redis is unavailable, not filled, or may evict keys', async () => {
    const server = await PrivateRedis.start();
    const client = new Redis(server.url);
    client.on('error', () => undefined);
    try {
      const env = { REDIS_URL: server.url };
      expect((await diagnose(env)).of('redis')).toEqual([
        expect.stringMatching(/^ok: Redis \d+\.\d+\.\d+ responds\./),
        expect.stringMatching(/^ok: Redis does not have the state of tokens yet/),
      ]);
      const runId = /run_id:(\w+)/.exec(await client.info())?.[1] ?? '';
      await client.set('zonewright:{token-state}:complete', runId);
      expect((await diagnose(env)).of('redis')[1]).toBe('ok: Redis has the state of all tokens.');
      await client.config('SET', 'maxmemory', '100mb');
      await client.config('SET', 'maxmemory-policy', 'allkeys-lru');
      expect((await diagnose(env)).of('redis')[1]).toMatch(
        /^warning: Redis may evict keys \(maxmemory-policy allkeys-lru\)/,
      );
      await server.kill();
      await waitFor(() => client.status !== 'ready');
      const { exitCode, of } = await diagnose(env);
      expect(exitCode).toBe(2);
      expect(of('redis')).toEqual([expect.stringMatching(/^error: Redis does not respond \(/)]);
    } finally {
      client.disconnect();
      await server.stop();
    }
  });
});
