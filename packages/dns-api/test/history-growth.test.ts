import { describe, expect, it } from '@jest/globals';
import { runRetention } from '@zonewright/testkit';
import { randomBytes } from 'node:crypto';
import { retentionRules } from '@zonewright/zones';
import { createDomain, createRecord } from './support/fixtures.js';
import { testSettings, useApi } from './support/use-api.js';

const api = useApi();

/** The approximate size of the largest TXT record. The text is random, so that it cannot be compressed. */
const LARGE = 64_000;
const largeText = () => randomBytes(LARGE).toString('base64').slice(0, LARGE);

async function sizeOf(table: string): Promise<number> {
  const { rows } = await api.db.raw<{ rows: { size: number }[] }>(
    'select pg_total_relation_size(?::regclass) as size',
    [table],
  );
  return rows[0]?.size ?? 0;
}

describe('The journal under a tenant that writes as much as it can', () => {
  it('an update of a large value adds one copy of it, and retention reduces a domain to its limit', async () => {
    const zone = await createDomain(api);
    const record = await createRecord(api, zone.id, {
      name: zone.name,
      type: 'TXT',
      data: largeText(),
    });
    const texts = [largeText(), largeText()];
    const before = await sizeOf('dns.zone_changes');
    const updates = 500;
    for (let n = 0; n < updates; n += 1) {
      await api
        .call('put', `/v1/domains/${zone.id}/records/${record.id}`, { data: texts[n % 2] })
        .expect(200);
    }
    const perUpdate = ((await sizeOf('dns.zone_changes')) - before) / updates;
    expect(perUpdate).toBeLessThan(LARGE * 1.15);

    const most = 4 * 1_024 * 1_024;
    const settings = testSettings(api.databaseUrl, { DNS_API_HISTORY_MAX_BYTES: String(most) });
    const removed = await runRetention(api.db, retentionRules(settings));
    expect(removed['changes-over-size']).toBeGreaterThan(updates - most / LARGE);
    const { rows } = await api.db.raw<{ rows: { octets: number }[] }>(
      `select sum(pg_column_size(c.*)) as octets from dns.zone_changes as c where c.domain_id = ?`,
      [zone.id],
    );
    expect(rows[0]?.octets).toBeLessThan(most);
  }, 120_000);
});
