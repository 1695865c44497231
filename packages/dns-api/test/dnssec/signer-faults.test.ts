import { beforeAll, describe, expect, it } from '@jest/globals';
import { generateKeyringText } from '@zonewright/database';
import { addNameservers, FakeClock } from '@zonewright/testkit';
import { createDomain, createRecord, type DomainBody } from '../support/fixtures.js';
import { readSignedZone, ZoneVerifier } from '../support/signed-zone.js';
import { useApi } from '../support/use-api.js';
import { signerEnv, useSigner } from '../support/use-signer.js';

const clock = new FakeClock();
const env = await signerEnv();
const api = useApi({ env: { ...env, DNS_API_MAX_DOMAINS: '1000' }, overrides: { clock } });
const signer = useSigner(api, env, clock);
const verifier = new ZoneVerifier();
beforeAll(async () => {
  await addNameservers(api.db);
});

const DAY_MS = 86_400_000;

async function createSigned(): Promise<DomainBody> {
  const domain = await createDomain(api);
  await addAddress(domain, 'www');
  await sign(domain);
  return domain;
}

async function addAddress({ id, name }: DomainBody, label: string): Promise<void> {
  await createRecord(api, id, { name: `${label}.${name}`, type: 'A', data: '192.0.2.1' });
}

async function sign({ id }: DomainBody): Promise<void> {
  await api.call('put', `/v1/domains/${id}/dnssec`, { enabled: true }).expect(200);
  await signer.run();
}

/** Expects that a change of a signed domain is refused for now. */
async function expectRefused({ id, name }: DomainBody): Promise<void> {
  const record = { name: `refused.${name}`, type: 'A', data: '192.0.2.1' };
  const response = await api.call('post', `/v1/domains/${id}/records`, record).expect(503);
  expect(response.headers['retry-after']).toBeDefined();
}

async function readState({ id }: DomainBody): Promise<{ state: string; dnskey: string[] }> {
  const response = await api.call('get', `/v1/domains/${id}/dnssec`).expect(200);
  return response.body as { state: string; dnskey: string[] };
}

async function expectValid({ name }: DomainBody): Promise<void> {
  const text = await readSignedZone(api.db, name);
  expect(await verifier.faultsAt(name, text, new Date(clock.now()))).toBe('');
}

/** Runs a test with another signer. */
async function withSigner(
  other: Parameters<typeof signer.start>[0],
  work: () => Promise<void>,
): Promise<void> {
  await signer.stop();
  await signer.start(other);
  try {
    await work();
  } finally {
    await signer.stop();
    await signer.start();
  }
}

describe('What goes wrong with a signer', () => {
  it('without its keys, domains stay valid, cannot be changed, and get new keys after they were unsigned', async () => {
    const domain = await createSigned();
    const { dnskey } = await readState(domain);
    const lost = { keys: generateKeyringText('k1') };
    await withSigner(lost, async () => {
      await expectRefused(domain);
      clock.advance(8 * DAY_MS);
      // The due signatures cannot be renewed, and stay valid.
      await signer.run();
      await expectValid(domain);
    });
    await withSigner(lost, async () => {
      await api.call('delete', `/v1/domains/${domain.id}/dnssec?force=true`).expect(200);
      await signer.run();
      expect(await readState(domain)).toMatchObject({ state: 'unsigned', dnskey: [] });
      await addAddress(domain, 'again');
      await sign(domain);
      await addAddress(domain, 'signed');
      await expectValid(domain);
      expect((await readState(domain)).dnskey).not.toEqual(dnskey);
    });
  });

  it('RFC 4035 s5.3.1: with a wrong clock it signs nothing, and reports that', async () => {
    const domain = await createSigned();
    const before = await readSignedZone(api.db, domain.name);
    await withSigner({ checkedClock: new FakeClock(Date.now() + 61_000) }, async () => {
      await expectRefused(domain);
      await expect(signer.run()).rejects.toThrow('The clocks of signer and PostgreSQL differ by');
    });
    expect(await readSignedZone(api.db, domain.name)).toBe(before);
    await addAddress(domain, 'later');
    await expectValid(domain);
  });

  it.each([12, 40])(
    'with a database from %s days ago, everything is signed again at once',
    async (days) => {
      const domain = await createSigned();
      clock.advance(days * DAY_MS);
      await signer.run();
      await expectValid(domain);
      const { rows } = await api.db.raw<{ rows: { at: Date }[] }>(
        'select min(n.resign_at) as at from dns.signed_names as n where n.domain_id = ?',
        [domain.id],
      );
      expect(rows[0]!.at.getTime()).toBeGreaterThan(clock.now() + 5 * DAY_MS);
    },
  );
});
