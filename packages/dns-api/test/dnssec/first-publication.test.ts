import { beforeAll, describe, expect, it } from '@jest/globals';
import { RR_TYPE } from '@zonewright/dns-records';
import { signedRecordsFromOctets } from '@zonewright/dns-records/dnssec';
import { addNameservers, FakeClock } from '@zonewright/testkit';
import { createDomain, createRecord, type DomainBody, freshName } from '../support/fixtures.js';
import { readSignedZone, ZoneVerifier } from '../support/signed-zone.js';
import { useApi } from '../support/use-api.js';
import { signerEnv, useSigner } from '../support/use-signer.js';

const clock = new FakeClock(Date.now());
const env = await signerEnv();
const api = useApi({ env: { ...env, DNS_API_MAX_DOMAINS: '1000' }, overrides: { clock } });
const signer = useSigner(api, env, clock);
const verifier = new ZoneVerifier();
beforeAll(async () => {
  await addNameservers(api.db);
});

const PROPAGATION_SECONDS = 300;

async function createWithRecord(ttl: number | undefined, members: object = {}) {
  const domain = await createDomain(api, { ttl: 300, ...members });
  const record = { name: `www.${domain.name}`, type: 'A', data: '192.0.2.1' };
  const { id } = await createRecord(api, domain.id, { ...record, ttl });
  return { domain, recordPath: `/v1/domains/${domain.id}/records/${id}` };
}

async function sign({ id }: DomainBody): Promise<void> {
  await api.call('put', `/v1/domains/${id}/dnssec`, { enabled: true }).expect(200);
  await signer.run();
}

interface Dnssec {
  readonly state: string;
  readonly cds: string;
  readonly ds_from: string;
  readonly missing: string;
}

async function readDnssec({ id }: DomainBody): Promise<Dnssec> {
  return (await api.call('get', `/v1/domains/${id}/dnssec`).expect(200)).body as Dnssec;
}

/** Returns the types that the service stores at a name. */
async function typesAt({ id }: DomainBody, canonical: string): Promise<number[]> {
  const { rows } = await api.db.raw<{ rows: { records: Buffer }[] }>(
    'select n.records from dns.signed_names as n where n.domain_id = ? and n.canonical = ?',
    [id, Buffer.from(canonical, 'latin1')],
  );
  return signedRecordsFromOctets(rows[0]!.records).map(({ type }) => type);
}

async function passes(seconds: number): Promise<void> {
  clock.advance(seconds * 1_000);
  await signer.run();
}

/** Returns the number of seconds until the DS is announced. */
async function secondsUntilDs(domain: DomainBody): Promise<number> {
  return Math.round((Date.parse(`${(await readDnssec(domain)).ds_from}Z`) - clock.now()) / 1_000);
}

async function expectValid({ name }: DomainBody): Promise<void> {
  const text = await readSignedZone(api.db, name);
  expect(await verifier.faultsAt(name, text, new Date(clock.now()))).toBe('');
}

describe('The DS of a domain that is signed first', () => {
  it('RFC 7583 s3.3.1: is announced, by CDS and by a parent here, when no resolver has cached the unsigned domain', async () => {
    const parent = await createDomain(api);
    await sign(parent);
    await passes(2 * 86_400);
    const { domain } = await createWithRecord(7_200, { name: `child.${parent.name}` });
    await sign(domain);

    const until = 7_200 + PROPAGATION_SECONDS;
    expect(await secondsUntilDs(domain)).toBe(until);
    expect(await readDnssec(domain)).toMatchObject({ state: 'signed', cds: 'wait' });
    for (const seconds of [0, until - 1]) {
      await passes(seconds);
      expect(await typesAt(domain, '')).not.toContain(RR_TYPE.CDS);
      expect(await typesAt(domain, '')).not.toContain(RR_TYPE.CDNSKEY);
      expect(await typesAt(parent, 'child\x00')).not.toContain(RR_TYPE.DS);
      expect((await readDnssec(domain)).missing).toContain('not before');
      await expectValid(domain);
      await expectValid(parent);
    }
    await passes(1);
    expect(await typesAt(domain, '')).toContain(RR_TYPE.CDS);
    expect(await typesAt(domain, '')).toContain(RR_TYPE.CDNSKEY);
    expect(await typesAt(parent, 'child\x00')).toContain(RR_TYPE.DS);
    expect(await readDnssec(domain)).toMatchObject({ cds: 'publish', ds_from: null });
    await expectValid(domain);
    await expectValid(parent);
  });

  it('also waits for records that existed recently', async () => {
    const { domain, recordPath } = await createWithRecord(86_400);
    await api.call('put', recordPath, { ttl: 60 }).expect(200);
    await sign(domain);
    expect(await secondsUntilDs(domain)).toBe(86_400 + PROPAGATION_SECONDS);
  });

  it('RFC 8767 s4: waits at most a week, regardless of the TTL', async () => {
    const { domain } = await createWithRecord(2_147_483_647);
    await sign(domain);
    expect(await secondsUntilDs(domain)).toBe(7 * 86_400 + PROPAGATION_SECONDS);
  });

  it('RFC 8078 s4: a domain that is unsigned in the meantime says so at once, and one that stays signed continues to wait', async () => {
    const { domain } = await createWithRecord(undefined);
    await sign(domain);
    const path = `/v1/domains/${domain.id}/dnssec`;
    await api.call('delete', path).expect(200);
    await signer.run();
    expect(await readDnssec(domain)).toMatchObject({ cds: 'delete', ds_from: null });
    expect(await typesAt(domain, '')).toContain(RR_TYPE.CDS);
    await sign(domain);
    expect(await readDnssec(domain)).toMatchObject({ cds: 'wait' });
    expect(await typesAt(domain, '')).not.toContain(RR_TYPE.CDS);
    await passes(3_600 + PROPAGATION_SECONDS);
    expect(await readDnssec(domain)).toMatchObject({ cds: 'publish' });
  });

  it('a key whose replacement is requested in the meantime is replaced afterwards', async () => {
    const { domain } = await createWithRecord(undefined);
    await sign(domain);
    await api.call('post', `/v1/domains/${domain.id}/dnssec/rollover`).expect(200);
    await signer.run();
    expect(await readDnssec(domain)).toMatchObject({ keys: [{ state: 'active' }] });
    await passes(3_600 + PROPAGATION_SECONDS);
    expect(await readDnssec(domain)).toMatchObject({
      cds: 'publish',
      keys: [{ state: 'active' }, { state: 'published' }],
    });
    await expectValid(domain);
  });
});

describe('What the signer has signed', () => {
  it.each([
    [
      'a signature',
      'set_byte(new.records, octet_length(new.records) - 1, get_byte(new.records, octet_length(new.records) - 1) # 1)',
    ],
    ['other records', `new.records || decode('0063000000000004c0000201', 'hex')`],
  ])('is verified before it is served: %s that was damaged', async (_what, spoilt) => {
    const { domain } = await createWithRecord(undefined, { name: freshName() });
    await api.db.raw(`
      create function dns.spoil() returns trigger language plpgsql as $$
        begin
          if new.canonical = convert_to('www', 'UTF8') || '\\x00' then new.records := ${spoilt}; end if;
          return new;
        end $$;
      create trigger spoil before insert or update on dns.signed_names for each row execute function dns.spoil();`);
    await sign(domain);
    expect(await readDnssec(domain)).toMatchObject({ state: 'signing' });
    await api.db.raw('drop trigger spoil on dns.signed_names; drop function dns.spoil();');
    // Without the restart the signer would try again only after a minute.
    await signer.stop();
    await signer.start();
    await signer.run();
    expect(await readDnssec(domain)).toMatchObject({ state: 'signed' });
    await expectValid(domain);
  });
});
