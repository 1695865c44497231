import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Database, DATABASE_ROLES, openDatabase } from '@zonewright/database';
import { systemClock } from '@zonewright/service-kit';
import { useTestDatabase, waitFor } from '@zonewright/testkit';
import { rolloutApex, readApexProgress } from '@zonewright/zones';
import { createDomain, readDomain } from './support/fixtures.js';
import { addServers } from './support/nameserver-reports.js';
import { useApi } from './support/use-api.js';

const api = useApi();
const database = useTestDatabase();

describe('a change of nameservers (ADR 0025)', () => {
  it('gives a domain its next serial, with an entry in its history that changes nothing else', async () => {
    const zone = await createDomain(api);
    await addServers(api.db);
    await waitFor(async () => (await readDomain(api, zone.id)).serial > zone.serial);
    const raised = await readDomain(api, zone.id);
    expect(raised).toEqual({ ...zone, serial: raised.serial });
    const response = await api.call('get', `/v1/domains/${zone.id}/changes`).expect(200);
    const [change] = (response.body as { changes: Record<string, unknown>[] }).changes;
    expect(change).toMatchObject({
      action: 'domain-update',
      serial_before: zone.serial,
      serial_after: raised.serial,
      user_id: 'operator',
      request_id: 'apex-version-2',
    });
    expect(change?.['before']).toEqual(change?.['after']);
    const file = await api
      .call('get', `/v1/domains/${zone.id}/zonefile`)
      .set('Accept', 'text/dns')
      .expect(200);
    expect(file.text.match(/\sNS\s/g)).toHaveLength(6);
    expect(file.text).toContain(` ${raised.serial} 14400 3600 1209600 300`);
    await expect(
      fetch(`${api.operationsUrl}/metrics`).then((metrics) => metrics.text()),
    ).resolves.toMatch(/^zonewright_dns_api_apex_outdated_zones 0$/m);
  });
});

describe('raiseZones', () => {
  let db: Database;

  beforeEach(async () => {
    db = openDatabase({
      url: database.urlAs(DATABASE_ROLES.dnsApi),
      applicationName: 'zonewright-test',
      maxConnections: 3,
    });
    await database.db.raw('delete from dns.domains');
    await database.db.raw(
      `insert into dns.domains (tenant_id, name, email, ttl, serial)
       select 'tenant', 'z' || n || '.example.', 'a@example.com', 3600, 100 from generate_series(1, 5) as n`,
    );
    await database.db.raw(
      'update dns.service_settings set soa_minimum = soa_minimum + 1; update dns.apex_rollout set next_at = now()',
    );
  });

  afterEach(() => db.destroy());

  const raise = (zonesPerSecond: number) => rolloutApex(db, { zonesPerSecond, clock: systemClock });
  const outdated = async () => (await readApexProgress(database.db)).outdated;

  it('updates some of the zones, and pauses so that the rate is kept', async () => {
    const batch = await raise(20);
    expect(batch).toMatchObject({ raised: 2 });
    expect(batch?.restMs).toBeGreaterThanOrEqual(100);
    expect(await outdated()).toBe(3);
  });

  it('runs in one replica at a time, and all keep the rate together', async () => {
    const results = await Promise.all([raise(1), raise(1), raise(1)]);
    expect(results.filter((result) => result !== undefined)).toMatchObject([{ raised: 1 }]);
    expect(await outdated()).toBe(4);
  });

  it('postpones a zone that is being written', async () => {
    const writer = await database.db.transaction();
    await writer.raw(`select from dns.domains where name = 'z3.example.' for update`);
    expect(await raise(500)).toMatchObject({ raised: 4 });
    await writer.rollback();
    await database.db.raw('update dns.apex_rollout set next_at = now()');
    expect(await raise(500)).toMatchObject({ raised: 1 });
    expect(await raise(500)).toBeUndefined();
  });

  it('skips a zone that was written in the meantime, also by old code or by SQL', async () => {
    await database.db.raw(`update dns.domains set serial = serial + 1 where name = 'z1.example.'`);
    expect(await outdated()).toBe(4);
  });
});
