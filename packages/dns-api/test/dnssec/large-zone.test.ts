import { beforeAll, describe, expect, it } from '@jest/globals';
import { addNameservers, FakeClock } from '@zonewright/testkit';
import { createDomain, createRecord, type DomainBody } from '../support/fixtures.js';
import { readSignedZone, ZoneVerifier } from '../support/signed-zone.js';
import { useApi } from '../support/use-api.js';
import { signerEnv, useSigner } from '../support/use-signer.js';

/**
 * More names than can be signed in the request that changes all of them. In the long form, the number also exceeds the
 * signatures of one step.
 */
const NAMES = Number(process.env['SIGNED_NAMES'] ?? 1_200);
const TIMEOUT_MS = 120_000 + NAMES * 30;
const DAY_MS = 86_400_000;

const clock = new FakeClock(Date.now());
const env = await signerEnv();
const api = useApi({
  env: { ...env, DNS_API_MAX_DOMAIN_RECORDS: String(NAMES * 3), DNS_API_MAX_DOMAINS: '100' },
  overrides: { clock },
});
const signer = useSigner(api, env, clock);
const verifier = new ZoneVerifier();
beforeAll(async () => {
  await addNameservers(api.db);
});

async function createLarge(): Promise<DomainBody> {
  const domain = await createDomain(api, { ttl: 3_600 });
  const lines = Array.from({ length: NAMES }, (_, at) => `h${at} IN A 192.0.2.1`);
  const body = { zonefile: lines.join('\n') };
  await api.call('post', `/v1/domains/${domain.id}/import`, body).expect(200);
  await api.call('put', `/v1/domains/${domain.id}/dnssec`, { enabled: true }).expect(200);
  await signer.run();
  return domain;
}

async function isCatchingUp({ id }: DomainBody): Promise<boolean> {
  const response = await api.call('get', `/v1/domains/${id}/dnssec`).expect(200);
  return (response.body as { catching_up: boolean }).catching_up;
}

/** @returns the original TTLs in the signatures of A records (RFC 4034, section 3.1.4) */
async function expectValid({ name }: DomainBody): Promise<Set<number>> {
  const text = await readSignedZone(api.db, name);
  expect(await verifier.faultsAt(name, text, new Date(clock.now()))).toBe('');
  const rrsigs = text.matchAll(/ IN RRSIG \\# \d+ 0001....([0-9a-f]{8})/g);
  return new Set([...rrsigs].map(([, ttl]) => Number.parseInt(ttl ?? '', 16)));
}

describe('a signed domain with more names than one request signs', () => {
  it(
    'changes its TTL at once, stays valid while the signer follows, and shows the progress',
    async () => {
      const domain = await createLarge();
      const path = `/v1/domains/${domain.id}`;
      expect(await isCatchingUp(domain)).toBe(false);
      await api.call('put', path, { ttl: 120 }).expect(200);
      expect(await isCatchingUp(domain)).toBe(true);
      expect(await expectValid(domain)).toEqual(new Set([3_600]));
      // Each change that is made in the meantime is signed with its own step.
      const record = { name: `new.${domain.name}`, type: 'A', data: '192.0.2.2' };
      await createRecord(api, domain.id, record);
      expect(await expectValid(domain)).toEqual(new Set([3_600, 120]));
      // Another change starts the signing again.
      await api.call('put', path, { ttl: 240 }).expect(200);
      await signer.run();
      expect(await isCatchingUp(domain)).toBe(false);
      expect(await expectValid(domain)).toEqual(new Set([240]));
    },
    TIMEOUT_MS,
  );

  it(
    'is restored after its signatures have expired',
    async () => {
      const domain = await createLarge();
      const path = `/v1/domains/${domain.id}`;
      await api.call('delete', path).expect(200);
      clock.advance(22 * DAY_MS);
      await api.call('post', `${path}/undelete`).expect(200);
      expect(await isCatchingUp(domain)).toBe(true);
      await signer.run();
      expect(await isCatchingUp(domain)).toBe(false);
      await expectValid(domain);
    },
    TIMEOUT_MS,
  );
});
