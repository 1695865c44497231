import { beforeEach, describe, expect, it } from '@jest/globals';
import { DATABASE_ROLES, openDatabase, Retention } from '@zonewright/database';
import { createLogger, RetentionMetrics } from '@zonewright/service-kit';
import { FakeClock, runRetention, waitFor } from '@zonewright/testkit';
import { Registry } from 'prom-client';
import { readApexProgress, retentionRules } from '@zonewright/zones';
import {
  createDomain,
  createRecord,
  type DomainBody,
  type ErrorBody,
  readDomain,
} from './support/fixtures.js';
import { readJournal } from './support/journal.js';
import { addServers, report } from './support/nameserver-reports.js';
import { testSettings, useApi } from './support/use-api.js';

const api = useApi({ env: { DNS_API_MAX_DOMAINS: '1000' } });
const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;

let zone: DomainBody;
beforeEach(async () => {
  zone = await createDomain(api);
});

const path = (rest = '') => `/v1/domains/${zone.id}${rest}`;
const later = (ms: number) => new Date(Date.now() + ms);
const rulesWith = (env: Readonly<Record<string, string>> = {}) =>
  retentionRules(testSettings('postgres://unused', env));

/** Waits until no transaction is in progress, in any database of the server, that began before the latest change. */
async function settle(): Promise<void> {
  const ask = async (expression: string) => {
    const { rows } = await api.db.raw<{ rows: { xid: string }[] }>(
      `select cast(${expression} as text) as xid`,
    );
    return BigInt(rows[0]?.xid ?? 0);
  };
  const last = await ask('pg_current_xact_id()');
  await waitFor(async () => (await ask('pg_snapshot_xmin(pg_current_snapshot())')) > last);
}

/** Removes old rows with the service's rights, as of a given time. */
async function removeOld(now: Date, env: Readonly<Record<string, string>> = {}) {
  await settle();
  const db = openDatabase({
    url: api.databaseUrl,
    applicationName: 'zonewright-test',
    maxConnections: 1,
  });
  try {
    return await runRetention(db, rulesWith(env), now);
  } finally {
    await db.destroy();
  }
}

async function step(ttl: number): Promise<number> {
  await api.call('put', path(), { ttl }).expect(200);
  return (await readDomain(api, zone.id)).serial;
}

/** Makes all changes so far look older by this number of days. */
async function age(
  table: 'dns.zone_changes' | 'dns.idempotency_keys',
  column: string,
  days: number,
) {
  await api.db.raw(`update ${table} set ${column} = ${column} - make_interval(days => ?)`, [days]);
}

async function count(table: string, where = 'true'): Promise<number> {
  const { rows } = await api.db.raw<{ rows: { count: number }[] }>(
    `select count(*) as count from ${table} where ${where}`,
  );
  return rows[0]?.count ?? -1;
}

describe('Changes that are older than DNS_API_HISTORY_DAYS', () => {
  it('are removed, but the last one of a domain stays', async () => {
    await step(1);
    const last = await step(2);
    await age('dns.zone_changes', 'changed_at', 89);
    expect((await removeOld(later(0)))['changes']).toBe(0);
    const { changes: removed } = await removeOld(later(2 * DAY_MS));
    expect(removed).toBeGreaterThanOrEqual(2);
    expect((await readJournal(api.db, zone.id)).map((each) => each.serial_after)).toEqual([last]);
    await api.call('get', path(`/changes/${last}`)).expect(200);
  });

  it('are removed in whole steps, whatever the size of a batch', async () => {
    const entries = 2_500;
    await api.db.raw(
      `insert into dns.zone_changes (domain_id, serial_before, serial_after, action, user_id, request_id, changed_at)
       select d.id, d.serial, d.serial + 1, 'record-create', 'u', 'r', now() - interval '91 days'
         from dns.domains as d, generate_series(1, ?) where d.id = ?`,
      [entries, zone.id],
    );
    await api.db.raw('update dns.domains set serial = serial + 1 where id = ?', [zone.id]);
    const db = openDatabase({ url: api.databaseUrl, applicationName: 'test', maxConnections: 1 });
    const rule = rulesWith().find(({ kind }) => kind === 'changes');
    const left = new Set<number>();
    for (let isDone = false; !isDone;) {
      isDone = (await db.transaction((trx) => rule!.removeBatch(trx, new Date()))).isDone;
      left.add((await readJournal(api.db, zone.id)).length);
    }
    expect([...left]).toEqual([1 + entries]);
    await step(9);
    for (let isDone = false; !isDone;) {
      isDone = (await db.transaction((trx) => rule!.removeBatch(trx, new Date()))).isDone;
      left.add((await readJournal(api.db, zone.id)).length);
    }
    expect([...left]).toEqual([1 + entries, 1]);
    await db.destroy();
  });

  it('are reported: the list shows where it begins, and other requests mention it', async () => {
    const gone = await step(1);
    await step(2);
    const { body: page } = (await api.call('get', path('/changes?limit=1')).expect(200)) as {
      body: unknown;
    };
    const { body: all } = (await api.call('get', path('/changes')).expect(200)) as {
      body: unknown;
    };
    const ids = (all as { changes: { id: number }[] }).changes.map(({ id }) => id);
    await age('dns.zone_changes', 'changed_at', 91);
    const last = await step(3);
    await removeOld(later(0));
    const { body } = (await api.call('get', path('/changes')).expect(200)) as { body: unknown };
    expect(body).toMatchObject({ history_begins: { serial: last }, changes: [{}] });
    expect(page).toMatchObject({ history_begins: { serial: zone.serial } });
    const next = await api.call('get', path(`/changes?marker=${ids[1] ?? 0}`)).expect(200);
    expect((next.body as { changes: unknown[] }).changes).toEqual([]);
    const change = await api.call('get', path(`/changes/${gone}`));
    expect(change.status).toBe(404);
    expect((change.body as ErrorBody).message).toContain(`begins with serial ${last}`);
    const restored = await api.call('post', path('/restore'), { serial: gone });
    expect(restored.status).toBe(400);
    expect((restored.body as ErrorBody).errors[0]?.message).toContain(`begins with serial ${last}`);
    await api.call('post', path('/restore'), { serial: last }).expect(200);
  });
});

describe('Changes beyond DNS_API_HISTORY_MAX_BYTES', () => {
  const SMALL = { DNS_API_HISTORY_MAX_BYTES: String(64 * 1_024) };

  it('are removed, the oldest first; the rest can be restored', async () => {
    const record = await createRecord(api, zone.id, {
      name: zone.name,
      type: 'A',
      data: '192.0.2.0',
    });
    const serials = [];
    for (let n = 1; n <= 120; n += 1) {
      await api.call('put', path(`/records/${record.id}`), { data: `192.0.2.${n}` }).expect(200);
      serials.push((await readDomain(api, zone.id)).serial);
    }
    expect((await removeOld(later(0)))['changes-over-size']).toBe(0);
    expect((await removeOld(later(0), SMALL))['changes-over-size']).toBeGreaterThan(30);
    const kept = (await readJournal(api.db, zone.id)).map((each) => each.serial_after);
    expect(kept).toEqual(serials.slice(-kept.length));
    expect(kept.length).toBeGreaterThan(40);
    expect((await removeOld(later(0), SMALL))['changes-over-size']).toBe(0);
    await api.call('post', path('/restore'), { serial: kept[0] }).expect(200);
    const { body } = (await api.call('get', path(`/records/${record.id}`)).expect(200)) as {
      body: unknown;
    };
    expect((body as { data: string }).data).toBe(`192.0.2.${120 - kept.length + 1}`);
  });

  it('stay if the last step alone is larger', async () => {
    await api.db.raw(
      `insert into dns.zone_changes (domain_id, serial_before, serial_after, action, after, user_id, request_id)
       select d.id, d.serial, d.serial + 1, 'record-create', jsonb_build_object('n', repeat(md5(n::text), 40)), 'u', 'r'
         from dns.domains as d, generate_series(1, 400) as n where d.id = ?`,
      [zone.id],
    );
    await api.db.raw('update dns.domains set serial = serial + 1 where id = ?', [zone.id]);
    expect((await removeOld(later(0), SMALL))['changes-over-size']).toBe(1);
    expect(await readJournal(api.db, zone.id)).toHaveLength(400);
  });
});

describe('Deleted domains', () => {
  it('are removed after the time for a restore, with records, history and sizes; the feed has a floor', async () => {
    await addServers(api.db);
    await createRecord(api, zone.id, { name: zone.name, type: 'A', data: '192.0.2.1' });
    await removeOld(later(0));
    await api.call('delete', path()).expect(200);
    expect((await removeOld(later(29 * DAY_MS)))['deleted-domains']).toBe(0);
    const { rows } = await api.db.raw<{ rows: { changed_in: string }[] }>(
      'select changed_in::text from dns.domains where id = ?',
      [zone.id],
    );
    expect((await removeOld(later(31 * DAY_MS)))['deleted-domains']).toBe(1);
    for (const table of ['dns.zone_changes', 'dns.records', 'dns.history_sizes']) {
      expect(await count(table, `domain_id = '${zone.id}'`)).toBe(0);
    }
    expect(
      await count('dns.nameserver_domain', `feed_floor = '${rows[0]?.changed_in ?? ''}'`),
    ).toBe(1);
    await createDomain(api, { name: zone.name });
  });

  it('stay while their serial is in the future', async () => {
    await api.call('delete', path()).expect(200);
    await api.db.raw('update dns.domains set serial = 4000000000 where id = ?', [zone.id]);
    expect((await removeOld(later(31 * DAY_MS)))['deleted-domains']).toBe(0);
    expect(await count('dns.domains', `id = '${zone.id}'`)).toBe(1);
  });

  it('are removed earlier if their tenant has deleted too many since, at least an hour ago', async () => {
    const env = { DNS_API_MAX_DELETED_DOMAINS: '2' };
    const tenant = "tenant_id = 'tenant-b' and deleted_at is not null";
    const ids: string[] = [];
    for (let n = 0; n < 4; n += 1) {
      const { id } = await createDomain(api, {}, 'token-b');
      await api.callAs('token-b', 'delete', `/v1/domains/${id}`).expect(200);
      ids.push(id);
    }
    await removeOld(later(0), env);
    expect(await count('dns.domains', tenant)).toBe(4);
    await removeOld(later(2 * HOUR_MS), env);
    expect(await count('dns.domains', `${tenant} and id in ('${ids[2]}', '${ids[3]}')`)).toBe(2);
    expect(await count('dns.domains', tenant)).toBe(2);
    await api.db.raw(`insert into dns.quotas (tenant_id, max_domains) values ('tenant-b', 50)`);
    const { id } = await createDomain(api, {}, 'token-b');
    await api.callAs('token-b', 'delete', `/v1/domains/${id}`).expect(200);
    await removeOld(later(2 * HOUR_MS), env);
    expect(await count('dns.domains', tenant)).toBe(3);
  });
});

describe('Other data that is removed with time', () => {
  it('responses stored for an Idempotency-Key are removed after DNS_API_IDEMPOTENCY_HOURS', async () => {
    await api
      .call('post', path('/records'), { name: zone.name, type: 'A', data: '192.0.2.1' })
      .set('Idempotency-Key', 'once')
      .expect(200);
    expect((await removeOld(later(23 * HOUR_MS)))['idempotency-keys']).toBe(0);
    expect((await removeOld(later(25 * HOUR_MS)))['idempotency-keys']).toBe(1);
  });

  it('and earlier if their tenant has more of them, the oldest first and none of the last hour', async () => {
    const env = { DNS_API_IDEMPOTENCY_MAX_BYTES: '20000' };
    for (let n = 0; n < 4; n += 1) {
      const data = Array.from({ length: 8_000 }, () =>
        String.fromCharCode(97 + Math.random() * 26),
      );
      await api
        .call('post', path('/records'), { name: zone.name, type: 'TXT', data: data.join('') })
        .set('Idempotency-Key', `large-${n}`)
        .expect(200);
    }
    const keys = async () => {
      const { rows } = await api.db.raw<{ rows: { key: string }[] }>(
        `select idempotency_key as key from dns.idempotency_keys where idempotency_key like 'large-%' order by 1`,
      );
      return rows.map(({ key }) => key);
    };
    await removeOld(later(0), env);
    expect(await keys()).toHaveLength(4);
    await removeOld(later(2 * HOUR_MS));
    expect(await keys()).toHaveLength(4);
    await removeOld(later(2 * HOUR_MS), env);
    expect(await keys()).toEqual(['large-2', 'large-3']);
  });

  it('the status of a silent nameserver is removed with its times, but not that of a live one', async () => {
    await report(api.db, 1, { ageSeconds: 31 * 86_400 });
    await report(api.db, 2);
    await api.db.raw(`update dns.nameserver_progress set applied_at = now() - interval '31 days'`);
    expect((await removeOld(later(0)))['nameserver-statuses']).toBe(2);
    expect(await count('dns.nameserver_status')).toBe(1);
    expect(await count('dns.nameserver_progress', `name = 'ns1-2'`)).toBe(1);
  });
});

describe('Retention in a service', () => {
  function createRetention(clock: FakeClock, registry = new Registry()): Retention {
    const rules = rulesWith({ DNS_API_HISTORY_DAYS: '1' });
    return new Retention({
      databaseUrl: api.databaseUrl,
      applicationName: 'zonewright-test',
      schema: 'dns',
      rules,
      metrics: new RetentionMetrics(registry, rules),
      clock,
      log: createLogger('test', 'silent'),
    });
  }
  const valueOf = async (registry: Registry, name: string, label: string) =>
    new RegExp(`^${name}\\{\\w+="${label}"\\} (\\S+)$`, 'm').exec(await registry.metrics())?.[1];

  it("removes nothing if the clock differs from PostgreSQL's", async () => {
    await step(1);
    const clock = new FakeClock();
    const retention = createRetention(clock);
    clock.advance(100 * DAY_MS);
    await retention.run();
    expect(await readJournal(api.db, zone.id)).toHaveLength(2);
    await retention.stop();
  });

  it('two replicas take turns; metrics show the removed rows, the oldest ones, and the sizes of tables', async () => {
    await step(1);
    await age('dns.zone_changes', 'changed_at', 2);
    await step(2);
    // Servers that an earlier test added increase the serials of zones, and each increase makes one more step due for
    // removal.
    await waitFor(async () => (await readApexProgress(api.db)).outdated === 0);
    const due = await count(
      'dns.zone_changes as c join dns.domains as d on d.id = c.domain_id',
      `c.serial_after < d.serial and c.changed_at < now() - interval '1 day'`,
    );
    expect(due).toBeGreaterThanOrEqual(2);
    const registries = [new Registry(), new Registry()];
    const replicas = registries.map((registry) => createRetention(new FakeClock(), registry));
    await Promise.all(replicas.map((each) => each.run()));
    await Promise.all(replicas.map((each) => each.run()));
    const removed = await Promise.all(
      registries.map((each) => valueOf(each, 'zonewright_retention_removed_rows_total', 'changes')),
    );
    expect(removed.reduce((sum, each) => sum + Number(each), 0)).toBe(due);
    const [registry] = registries as [Registry];
    expect(await valueOf(registry, 'zonewright_retention_kept_seconds', 'changes')).toBe('86400');
    expect(
      Number(await valueOf(registry, 'zonewright_retention_oldest_seconds', 'changes')),
    ).toBeLessThan(86_400);
    expect(
      Number(await valueOf(registry, 'zonewright_database_table_bytes', 'dns.zone_changes')),
    ).toBeGreaterThan(8_192);
    await Promise.all(replicas.map((each) => each.stop()));
  });

  it('is part of the service, which shows its metrics', async () => {
    const metrics = await (await fetch(`${api.operationsUrl}/metrics`)).text();
    for (const { kind } of rulesWith()) expect(metrics).toContain(`rows_total{kind="${kind}"} 0`);
  });

  it.each([DATABASE_ROLES.dnsApi])('needs only the rights of %s', async (role) => {
    expect(api.databaseUrl).toContain(role);
    await expect(removeOld(later(0))).resolves.toBeDefined();
  });
});

describe('What v2 keeps of exports, imports and transfers', () => {
  const insertTask = `insert into dns.zone_tasks (kind, tenant_id, domain_id, status, created_at)
    values ('export', 'tenant-a', ?, 'COMPLETE', now() - make_interval(days => ?))`;
  const insertTransfer = `insert into dns.zone_transfers
      (domain_id, tenant_id, key_digest, created_at, status, accept_id, accepted_by, accepted_at)
    values (?, 'tenant-a', '', now() - make_interval(days => ?), ?, ?, ?, now() - make_interval(days => ?))`;

  it('exports and imports are removed after DNS_API_ZONE_TASK_DAYS', async () => {
    await api.db.raw(insertTask, [zone.id, 29]);
    expect((await removeOld(later(0)))['zone-tasks']).toBe(0);
    expect((await removeOld(later(2 * DAY_MS)))['zone-tasks']).toBe(1);
    const days = { DNS_API_ZONE_TASK_DAYS: '7' };
    await api.db.raw(insertTask, [zone.id, 8]);
    expect((await removeOld(later(0), days))['zone-tasks']).toBe(1);
  });

  it('offers are removed after DNS_API_ZONE_TRANSFER_DAYS, and so are completed transfers', async () => {
    const ended = 'f0000000-0000-4000-8000-000000000000';
    await api.db.raw(insertTransfer, [zone.id, 29, 'ACTIVE', null, null, 0] as string[]);
    await api.db.raw(insertTransfer, [zone.id, 50, 'COMPLETE', ended, 'b', 29] as string[]);
    await api.db.raw('update dns.zone_transfers set accepted_at = null where accept_id is null');
    expect((await removeOld(later(0)))['zone-transfers']).toBe(0);
    expect((await removeOld(later(2 * DAY_MS)))['zone-transfers']).toBe(2);
  });
});
