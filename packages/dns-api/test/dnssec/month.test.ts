import { beforeAll, describe, expect, it } from '@jest/globals';
import { RR_TYPE } from '@zonewright/dns-records';
import {
  keyTagOf,
  rrsigFromWire,
  type SignedRecord,
  signedRecordsFromOctets,
} from '@zonewright/dns-records/dnssec';
import { addNameservers, FakeClock } from '@zonewright/testkit';
import { createDomain, createRecord, type DomainBody } from '../support/fixtures.js';
import { readSignedZone, ZoneVerifier } from '../support/signed-zone.js';
import { useApi } from '../support/use-api.js';
import { signerEnv, useSigner } from '../support/use-signer.js';

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;

const clock = new FakeClock(Date.now());
const env = await signerEnv();
const api = useApi({ env, overrides: { clock } });
const signer = useSigner(api, env, clock);
const verifier = new ZoneVerifier();
beforeAll(async () => {
  await addNameservers(api.db);
});

/** What a resolver may remember for an hour. */
interface Sample {
  readonly dnskeys: ReadonlySet<number>;
  /** Of each RRset the keys that sign it. */
  readonly signers: readonly ReadonlySet<number>[];
  /** What the parent shows. */
  readonly ds: readonly number[];
  readonly ends: number;
}

async function readKept({ id }: DomainBody): Promise<SignedRecord[]> {
  const { rows } = await api.db.raw<{ rows: { records: Buffer }[] }>(
    'select n.records from dns.signed_names as n where n.domain_id = ?',
    [id],
  );
  return rows.flatMap(({ records }) => signedRecordsFromOctets(records));
}

async function takeSample(domain: DomainBody, ds: readonly number[]): Promise<Sample> {
  const { rows } = await api.db.raw<{ rows: { records: Buffer }[] }>(
    'select n.records from dns.signed_names as n where n.domain_id = ?',
    [domain.id],
  );
  const dnskeys = new Set<number>();
  const signers: Set<number>[] = [];
  let ends = Infinity;
  for (const { records } of rows) {
    const byType = new Map<number, Set<number>>();
    for (const { type, rdata } of signedRecordsFromOctets(records)) {
      if (type === RR_TYPE.DNSKEY) {
        const octets = Buffer.from(rdata);
        dnskeys.add(
          keyTagOf({
            flags: octets.readUInt16BE(0),
            algorithm: octets[3]!,
            publicKey: octets.subarray(4),
          }),
        );
      }
      if (type !== RR_TYPE.RRSIG) continue;
      const { typeCovered, keyTag, expiration } = rrsigFromWire(rdata);
      byType.set(typeCovered, (byType.get(typeCovered) ?? new Set()).add(keyTag));
      ends = Math.min(ends, expiration);
    }
    signers.push(...byType.values());
  }
  return { dnskeys, signers, ds, ends };
}

/** Whether a resolver that remembers some of one sample and gets the rest of another can validate. */
function expectValidates(remembered: Sample, now: Sample): void {
  for (const [keys, data] of [
    [remembered.dnskeys, now.signers],
    [now.dnskeys, remembered.signers],
  ] as const) {
    expect(data.every((signers) => [...signers].some((tag) => keys.has(tag)))).toBe(true);
  }
  for (const [{ ds }, { dnskeys }] of [
    [remembered, now],
    [now, remembered],
  ] as const) {
    expect(ds.length === 0 || ds.some((tag) => dnskeys.has(tag))).toBe(true);
  }
}

/** What a parent does that follows CDS once a day (RFC 8078). */
async function followCds(domain: DomainBody): Promise<number[]> {
  const cds = (await readKept(domain)).filter(({ type }) => type === RR_TYPE.CDS);
  const tags = cds.map(({ rdata }) => Buffer.from(rdata).readUInt16BE(0)).filter((tag) => tag > 0);
  await api.db.raw(
    `insert into dns.parent_ds (domain_id, checked_at, agreed, ds, ds_ttl) values (?, ?, true, cast(? as jsonb), 3600)
         on conflict (domain_id) do update set checked_at = excluded.checked_at, ds = excluded.ds`,
    [
      domain.id,
      new Date(clock.now()),
      JSON.stringify(tags.map((keyTag) => ({ keyTag, algorithm: 13, digestType: 2, digest: '' }))),
    ],
  );
  return tags;
}

describe('RFC 6781 s4.1.3, RFC 7583, RFC 8078: a month by the clock', () => {
  it('renewal, two rollovers and leaving: nobody who remembers anything for an hour finds it bogus', async () => {
    const domain = await createDomain(api);
    for (const name of ['a', 'b.c', '*.d']) {
      const data = { name: `${name}.${domain.name}`, type: 'A', data: '192.0.2.1' };
      await createRecord(api, domain.id, data);
    }
    const path = `/v1/domains/${domain.id}/dnssec`;
    await api.call('put', path, { enabled: true }).expect(200);
    await signer.run();
    let ds: number[] = [];
    let before = await takeSample(domain, ds);
    const keys = new Set(before.dnskeys);
    for (let hour = 1; hour <= 28 * DAY_HOURS; hour += 1) {
      clock.advance(HOUR_MS);
      if (hour % DAY_HOURS === 5) ds = await followCds(domain);
      if (hour === 3 * DAY_HOURS || hour === 14 * DAY_HOURS) {
        await api.call('post', `${path}/rollover`).expect(200);
        await api.call('post', `${path}/rollover`).expect(409);
      }
      if (hour === 24 * DAY_HOURS) await api.call('delete', path).expect(200);
      await signer.run();
      const now = await takeSample(domain, ds);
      if (now.signers.length === 0) {
        // Unsigned: no DS may be remembered then.
        expect(before.ds).toEqual([]);
        break;
      }
      expectValidates(before, now);
      // 13 days without database and signer.
      expect(now.ends * 1_000 - clock.now()).toBeGreaterThan(13 * DAY_HOURS * HOUR_MS);
      for (const tag of now.dnskeys) keys.add(tag);
      if (hour % (3 * DAY_HOURS) === 0) {
        const text = await readSignedZone(api.db, domain.name);
        expect(verifier.faultsAt(domain.name, text, new Date(clock.now()))).toBe('');
      }
      before = now;
    }
    expect(keys.size).toBe(3);
    expect(await readKept(domain)).toEqual([]);
  }, 180_000);
});
