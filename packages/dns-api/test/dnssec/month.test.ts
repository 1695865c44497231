import { beforeAll, describe, expect, it } from '@jest/globals';
import { RR_TYPE } from '@zonewright/dns-records';
import { keyTagOf, rrsigFromWire, signedRecordsFromOctets } from '@zonewright/dns-records/dnssec';
import { addNameservers, FakeClock } from '@zonewright/testkit';
import { createDomain, createRecord, type DomainBody } from '../support/fixtures.js';
import { readSignedZone, ZoneVerifier } from '../support/signed-zone.js';
import { useApi } from '../support/use-api.js';
import { signerEnv, useSigner } from '../support/use-signer.js';

/** The interval of samples; `npm run test:faults` takes one each minute, and runs validators each hour. */
const STEP_MINUTES = Number(process.env['ZONEWRIGHT_MONTH_STEP_MINUTES'] ?? 30);
const VERIFY_HOURS = STEP_MINUTES === 1 ? 1 : 72;

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
const DAYS = 28;
/** The time for which resolvers cache data: TTLs of an hour, and five minutes until nameservers follow. */
const REMEMBERED_MINUTES = 65;

const clock = new FakeClock(Date.now());
const env = await signerEnv();
const api = useApi({ env, overrides: { clock } });
const signer = useSigner(api, env, clock);
const verifier = new ZoneVerifier();
beforeAll(async () => {
  await addNameservers(api.db);
});

/** A key in the form of DS, DNSKEY and RRSIG: algorithm and tag. */
type KeyName = `${number}/${number}`;

/** The data that a resolver may have cached. */
interface Sample {
  readonly dnskeys: ReadonlySet<KeyName>;
  readonly dnskeySigners: ReadonlySet<KeyName>;
  /** The keys that sign each other RRset. */
  readonly signers: readonly ReadonlySet<KeyName>[];
  /** The parent's DS records. */
  readonly ds: readonly KeyName[];
  /** The number of CDS records that the zone shows to its parent. */
  readonly cds: number;
  /** The time in seconds when the first signature expires. */
  readonly ends: number;
}

async function readKept({ id }: DomainBody) {
  const { rows } = await api.db.raw<{ rows: { records: Buffer }[] }>(
    'select n.records from dns.signed_names as n where n.domain_id = ?',
    [id],
  );
  return rows.map(({ records }) => signedRecordsFromOctets(records));
}

function nameOfDnskey(rdata: Uint8Array): KeyName {
  const octets = Buffer.from(rdata);
  const [flags, algorithm] = [octets.readUInt16BE(0), octets[3]!];
  return `${algorithm}/${keyTagOf({ flags, algorithm, publicKey: octets.subarray(4) })}`;
}

async function takeSample(domain: DomainBody, ds: readonly KeyName[]): Promise<Sample> {
  const dnskeys = new Set<KeyName>();
  const dnskeySigners = new Set<KeyName>();
  const signers: Set<KeyName>[] = [];
  let ends = Infinity;
  let cds = 0;
  for (const records of await readKept(domain)) {
    const byType = new Map<number, Set<KeyName>>();
    for (const { type, rdata } of records) {
      if (type === RR_TYPE.DNSKEY) dnskeys.add(nameOfDnskey(rdata));
      if (type === RR_TYPE.CDS) cds += 1;
      if (type !== RR_TYPE.RRSIG) continue;
      const { typeCovered, algorithm, keyTag, expiration } = rrsigFromWire(rdata);
      const known = typeCovered === RR_TYPE.DNSKEY ? dnskeySigners : byType.get(typeCovered);
      byType.set(typeCovered, (known ?? new Set<KeyName>()).add(`${algorithm}/${keyTag}`));
      ends = Math.min(ends, expiration);
    }
    byType.delete(RR_TYPE.DNSKEY);
    signers.push(...byType.values());
  }
  return { dnskeys, dnskeySigners, signers, ds, cds, ends };
}

/**
 * Returns whether a resolver with the keys of one moment can validate data of another, for each algorithm of the keys
 * (RFC 4035, section 2.2).
 */
function canUse({ dnskeys }: Sample, { signers }: Sample): boolean {
  const algorithms = new Set([...dnskeys].map((key) => key.split('/')[0]));
  return signers.every((of) => {
    const usable = [...of].filter((key) => dnskeys.has(key)).map((key) => key.split('/')[0]);
    return new Set(usable).size === algorithms.size;
  });
}

/**
 * Returns whether a resolver with the DS of one moment can trust the keys of another: there is no DS, or a key of each
 * of its algorithms signs the keys.
 */
function canTrust({ ds }: Sample, { dnskeys, dnskeySigners }: Sample): boolean {
  return ds.every((one) =>
    ds.some(
      (other) =>
        other.split('/')[0] === one.split('/')[0] && dnskeys.has(other) && dnskeySigners.has(other),
    ),
  );
}

/** Acts like a parent that follows CDS once a day (RFC 8078). */
async function followCds(domain: DomainBody): Promise<KeyName[]> {
  const cds = (await readKept(domain)).flat().filter(({ type }) => type === RR_TYPE.CDS);
  const shown = cds
    .map(({ rdata }) => ({ keyTag: Buffer.from(rdata).readUInt16BE(0), algorithm: rdata[2]! }))
    .filter(({ algorithm }) => algorithm > 0);
  const ds = shown.map((one) => ({ ...one, digestType: 2, digest: '' }));
  await api.db.raw(
    `insert into dns.parent_ds (domain_id, checked_at, agreed, ds, ds_ttl) values (?, ?, true, cast(? as jsonb), 3600)
         on conflict (domain_id) do update set checked_at = excluded.checked_at, ds = excluded.ds`,
    [domain.id, new Date(clock.now()), JSON.stringify(ds)],
  );
  return shown.map(({ keyTag, algorithm }): KeyName => `${algorithm}/${keyTag}`);
}

async function readSerial({ id }: DomainBody): Promise<string> {
  const { rows } = await api.db.raw<{ rows: { serial: string }[] }>(
    'select d.serial from dns.domains as d where d.id = ?',
    [id],
  );
  return rows[0]!.serial;
}

/** Returns the finding of the signer's own audit. */
async function readAudit({ id }: DomainBody): Promise<unknown> {
  const { rows } = await api.db.raw<{ rows: { problem: unknown }[] }>(
    'select z.audit_problem as problem from dns.zone_dnssec as z where z.domain_id = ?',
    [id],
  );
  return rows[0]?.problem;
}

/** All data that resolvers may have cached, each with the last minute when it could be queried. */
class Memory {
  readonly #samples: { sample: Sample; seenAt: number }[] = [];

  /** Checks that resolvers with any of the cached data can validate the current one. */
  expectValid(now: Sample, minute: number): void {
    const known = this.#samples.filter(({ seenAt }) => minute - seenAt <= REMEMBERED_MINUTES);
    this.#samples.splice(0, Infinity, ...known, { sample: now, seenAt: minute });
    for (const { sample } of this.#samples) {
      expect([canUse(sample, now), canUse(now, sample)]).toEqual([true, true]);
      expect([canTrust(sample, now), canTrust(now, sample)]).toEqual([true, true]);
      // Below a DS, unsigned data is bogus.
      if (sample.signers.length === 0) expect([now.ds, now.cds]).toEqual([[], 0]);
    }
  }

  stillThere(minute: number): void {
    const last = this.#samples.at(-1);
    if (last !== undefined) last.seenAt = minute;
  }

  anyDs(minute: number): boolean {
    return this.#samples.some(
      ({ sample, seenAt }) => sample.ds.length > 0 && minute - seenAt <= REMEMBERED_MINUTES,
    );
  }
}

describe('RFC 6781 s4.1.3 and s4.1.4, RFC 7583, RFC 8078: a month by the clock', () => {
  it(`renewal, two rollovers, another algorithm and unsigning are never bogus for any resolver, with samples each ${STEP_MINUTES} minutes`, async () => {
    const domain = await createDomain(api);
    for (const name of ['a', 'b.c', '*.d']) {
      const data = { name: `${name}.${domain.name}`, type: 'A', data: '192.0.2.1' };
      await createRecord(api, domain.id, data);
    }
    const path = `/v1/domains/${domain.id}/dnssec`;
    const memory = new Memory();
    memory.expectValid(await takeSample(domain, []), -1);
    await api.call('put', path, { enabled: true }).expect(200);
    await signer.run();
    const startsRollover = async () => {
      await api.call('post', `${path}/rollover`).expect(200);
      await api.call('post', `${path}/rollover`).expect(409);
    };
    const plan = new Map<number, () => Promise<unknown>>([
      [2 * DAY_MINUTES, startsRollover],
      [8 * DAY_MINUTES, startsRollover],
      [14 * DAY_MINUTES, () => api.call('put', path, { enabled: true, algorithm: 15 }).expect(200)],
      [22 * DAY_MINUTES, () => api.call('delete', path).expect(200)],
    ]);
    const keys = new Set<KeyName>();
    const algorithmsTogether = new Set<number>();
    let [ds, serial, ends]: [KeyName[], string, number] = [[], '', 0];
    let minute = 0;
    for (; minute < DAYS * DAY_MINUTES; minute += STEP_MINUTES) {
      const dsBefore = ds.join();
      if (minute % DAY_MINUTES === 300) ds = await followCds(domain);
      await plan.get(minute)?.();
      await signer.run();
      const serialNow = await readSerial(domain);
      if (serialNow === serial && ds.join() === dsBefore) memory.stillThere(minute);
      else {
        const now = await takeSample(domain, ds);
        if (now.signers.length === 0) break;
        memory.expectValid(now, minute);
        for (const key of now.dnskeys) keys.add(key);
        algorithmsTogether.add(new Set([...now.signers[0]!].map((key) => key.split('/')[0])).size);
        [serial, ends] = [serialNow, now.ends];
      }
      // The zone must stay valid for 13 days without database and signer.
      expect(ends * 1_000 - clock.now()).toBeGreaterThan(13 * DAY_MINUTES * MINUTE_MS);
      if (minute % (VERIFY_HOURS * 60) === 0) {
        const text = await readSignedZone(api.db, domain.name);
        expect(await readAudit(domain)).toBeNull();
        expect(await verifier.faultsAt(domain.name, text, new Date(clock.now()))).toBe('');
      }
      clock.advance(STEP_MINUTES * MINUTE_MS);
    }
    // When the zone becomes unsigned, no DS may be cached any longer.
    expect(minute).toBeLessThan(DAYS * DAY_MINUTES);
    expect(memory.anyDs(minute)).toBe(false);
    expect([...keys].map((key) => key.split('/')[0]).toSorted()).toEqual(['13', '13', '13', '15']);
    expect(algorithmsTogether).toEqual(new Set([1, 2]));
    expect(await readKept(domain)).toEqual([]);
  }, 1_800_000);
});
