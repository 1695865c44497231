import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@zonewright/testkit';
import { createDomain, createRecord, type DomainBody, readDomain } from './support/fixtures.js';
import { addServers, report, reportAll } from './support/nameserver-reports.js';
import { readSignedZone, ZoneVerifier } from './support/signed-zone.js';
import { useApi } from './support/use-api.js';
import { signerEnv, useSigner } from './support/use-signer.js';

const env = await signerEnv();
const api = useApi({ env: { ...env, DNS_API_MAX_DOMAINS: '1000' } });
const signer = useSigner(api, env);
const verifier = new ZoneVerifier();

beforeAll(async () => {
  await addServers(api.db);
  await reportAll(api.db);
});

const serialOf = async ({ id }: DomainBody) => (await readDomain(api, id)).serial;

describe('ADR 0020: zones that nameservers answer with a later serial than the database has', () => {
  it.each([1, 500, 100_000])('%i later: the next serial is after that', async (lost) => {
    const domain = await createDomain(api);
    const answered = domain.serial + lost;
    await report(api.db, 3, { aheadZones: { [domain.name]: answered } });
    await waitFor(async () => (await serialOf(domain)) > answered);
    await report(api.db, 3);
    const response = await api.call('get', `/v1/domains/${domain.id}/changes`).expect(200);
    const [change] = (response.body as { changes: Record<string, unknown>[] }).changes;
    expect(change).toMatchObject({ action: 'domain-update', serial_before: domain.serial });
  });

  it('the same serial with another content counts as well', async () => {
    const domain = await createDomain(api);
    await report(api.db, 3, { aheadZones: { [domain.name]: domain.serial } });
    await waitFor(async () => (await serialOf(domain)) > domain.serial);
  });

  it('serials of secondaries count, too, and implausible ones do not', async () => {
    const domain = await createDomain(api);
    const { serial, name } = domain;
    await report(api.db, 3, { aheadZones: { [name]: 4_294_967_000 } });
    await report(api.db, 4, { aheadZones: { [name]: serial + 5 } });
    await waitFor(async () => (await serialOf(domain)) > serial + 5);
    expect(await serialOf(domain)).toBeLessThan(serial + 1_000);
    await reportAll(api.db);
  });

  it('a signed zone gets a signed step after it', async () => {
    const domain = await createDomain(api);
    await createRecord(api, domain.id, { name: `a.${domain.name}`, type: 'A', data: '192.0.2.1' });
    await api.db.raw(
      `update dns.nameserver_status set capabilities = array['dnssec', 'dnssec-algorithms', 'secondary']`,
    );
    await api.call('put', `/v1/domains/${domain.id}/dnssec`, { enabled: true }).expect(200);
    await signer.run();
    const answered = (await serialOf(domain)) + 500;
    await report(api.db, 3, { aheadZones: { [domain.name]: answered } });
    await waitFor(async () => {
      await signer.run();
      return (await serialOf(domain)) > answered;
    });
    await report(api.db, 3);
    expect(await verifier.faultsOf(domain.name, await readSignedZone(api.db, domain.name))).toBe(
      '',
    );
  });

  it('a signed zone that cannot be signed delays no other', async () => {
    const domains = [await createDomain(api), await createDomain(api), await createDomain(api)];
    for (const { id } of domains)
      await api.call('put', `/v1/domains/${id}/dnssec`, { enabled: true }).expect(200);
    await waitFor(async () => {
      await signer.run();
      const { rows } = await api.db.raw<{ rows: object[] }>(
        `select from dns.zone_dnssec where domain_id = any(?::uuid[]) and state = 'signed'`,
        [domains.map(({ id }) => id)],
      );
      return rows.length === domains.length;
    });
    await reportAll(api.db);
    const serials = await Promise.all(domains.map(serialOf));
    // The signer cannot open the key of the first two.
    const broken = domains.slice(0, 2).map(({ id }) => id);
    await api.db.raw(
      `update dns.zone_keys set secret_sealed = decode('00', 'hex') where domain_id = any(?::uuid[])`,
      [broken],
    );
    // A signer caches keys that it has decrypted.
    await signer.stop();
    await signer.start();
    const aheadZones = Object.fromEntries(
      domains.map(({ name }, at) => [name, (serials[at] ?? 0) + 500]),
    );
    await report(api.db, 3, { aheadZones });
    await waitFor(async () => (await serialOf(domains[2]!)) > (serials[2] ?? 0) + 500);
    expect(await Promise.all(domains.slice(0, 2).map(serialOf))).toEqual(serials.slice(0, 2));
    await api.db.raw('delete from dns.domains where id = any(?::uuid[])', [broken]);
    await reportAll(api.db);
  });

  it('until then the change is pending, neither failed nor published', async () => {
    const domain = await createDomain(api);
    await reportAll(api.db);
    // This domain is like a secondary zone, whose serial the service does not increase.
    await report(api.db, 3, { aheadZones: { [domain.name]: 4_294_967_000 } });
    const change = await api.call('get', `/v1/domains/${domain.id}/changes/${domain.serial}`);
    expect(change.body).toMatchObject({ state: 'pending' });
    const zone = await api.call('get', `/v2/zones/${domain.id}`);
    expect(zone.body).toMatchObject({ status: 'PENDING' });
    await reportAll(api.db);
  });
});
