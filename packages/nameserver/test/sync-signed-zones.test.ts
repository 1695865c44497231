import { beforeAll, describe, expect, it } from '@jest/globals';
import { announceZoneChange, type Database, DATABASE_ROLES } from '@zonewright/database';
import { nameToWire, rdataToWire, RR_TYPE } from '@zonewright/dns-records';
import { canonicalKey, signedRecordsToOctets } from '@zonewright/dns-records/dnssec';
import { addNameservers, addZone, exchangeUdp, useTestDatabase } from '@zonewright/testkit';
import { createHash } from 'node:crypto';
import { decodeMessage } from '../conformance/support/message.js';
import { buildQuery } from '../conformance/support/query.js';
import { signZone } from '../conformance/support/sign-zone.js';
import type { ZoneContent, ZoneRecord } from '../src/compile/zone-tree.js';
import { expectEventually } from './support/expect-eventually.js';
import {
  readMetric,
  type RunningNameserver,
  startLoadedNameserver,
} from './support/running-nameserver.js';

const database = useTestDatabase();

beforeAll(async () => {
  await addNameservers(database.db);
});

/** A zone in the database as the signer and dns-api store it; it has only A records. */
class SignedZone {
  readonly #name: string;
  readonly #apex: Uint8Array;
  readonly #hosts = new Map<string, string>();
  #id = '';
  #serial = 100;
  #kept = new Map<string, Buffer>();

  constructor(name: string) {
    this.#name = name;
    this.#apex = nameToWire(name);
  }

  async create(hosts: Iterable<string>): Promise<void> {
    this.#id = await addZone(database.db, this.#name, [], this.#serial);
    await this.step((trx) => this.addHosts(trx, hosts));
  }

  async addHosts(trx: Database, hosts: Iterable<string>, data = '192.0.2.1'): Promise<void> {
    for (const host of hosts) {
      const rdata = Buffer.from(rdataToWire('A', data, null));
      this.#hosts.set(host, data);
      await trx.raw(
        `insert into dns.records (domain_id, name, type, data, rdata, rdata_digest) values (?, ?, 'A', ?, ?, ?)`,
        [this.#id, host, data, rdata, createHash('sha256').update(rdata).digest()],
      );
      await this.#writeJournal(trx, 'record-create', host);
    }
  }

  async removeHost(trx: Database, host: string): Promise<void> {
    this.#hosts.delete(host);
    await trx.raw('delete from dns.records where domain_id = ? and name = ?', [this.#id, host]);
    await this.#writeJournal(trx, 'record-delete', host);
  }

  /** Deletes signatures without an entry in the journal. */
  async loseSignatures(host: string): Promise<void> {
    const key = Buffer.from(canonicalKey(nameToWire(host), this.#apex), 'latin1');
    await database.db.raw(
      `update dns.signed_names set records = '' where domain_id = ? and canonical = ?`,
      [this.#id, key],
    );
  }

  /** Increases the serial by one, with a change and its signatures; `spoil` can remove some of them. */
  async step(
    change: (trx: Database) => Promise<void>,
    spoil = (records: readonly ZoneRecord[]) => records,
  ): Promise<void> {
    await database.db.transaction(async (trx) => {
      this.#serial++;
      await change(trx);
      const names = await this.#keep(trx, spoil);
      await trx.raw(
        `insert into dns.signing_steps (domain_id, serial_before, serial_after, names) values (?, ?, ?, ?::bytea[])`,
        [this.#id, this.#serial - 1, this.#serial, names],
      );
      await trx.raw(
        `update dns.domains set serial = ?, record_count = ?, changed_in = pg_current_xact_id() where id = ?`,
        [this.#serial, this.#hosts.size, this.#id],
      );
      await trx.raw(
        `insert into dns.zone_dnssec (domain_id, state, algorithm, signed_serial) values (?, 'signed', 15, ?)
         on conflict (domain_id) do update set signed_serial = excluded.signed_serial`,
        [this.#id, this.#serial],
      );
      await announceZoneChange(trx, this.#id);
    });
  }

  /** Writes the rows of names that have changed, and returns them. */
  async #keep(
    trx: Database,
    spoil: (records: readonly ZoneRecord[]) => readonly ZoneRecord[],
  ): Promise<Buffer[]> {
    const rows = this.#rowsOf(spoil([...this.#sign().records]));
    const changed = [...new Set([...rows.keys(), ...this.#kept.keys()])].filter(
      (key) => rows.get(key)?.toString('hex') !== this.#kept.get(key)?.toString('hex'),
    );
    for (const key of changed) {
      const canonical = Buffer.from(key, 'latin1');
      const row = rows.get(key);
      if (row === undefined) {
        await trx.raw('delete from dns.signed_names where domain_id = ? and canonical = ?', [
          this.#id,
          canonical,
        ]);
      } else {
        await trx.raw(
          `insert into dns.signed_names (domain_id, canonical, records, resign_at) values (?, ?, ?, now())
           on conflict (domain_id, canonical) do update set records = excluded.records`,
          [this.#id, canonical, row],
        );
      }
    }
    this.#kept = rows;
    return changed.map((key) => Buffer.from(key, 'latin1'));
  }

  #rowsOf(records: readonly ZoneRecord[]): Map<string, Buffer> {
    const kept = new Map<string, ZoneRecord[]>();
    for (const record of records) {
      if (record.type === RR_TYPE.A) continue;
      const key = canonicalKey(record.owner, this.#apex);
      kept.set(key, [...(kept.get(key) ?? []), record]);
    }
    return new Map([...kept].map(([key, all]) => [key, Buffer.from(signedRecordsToOctets(all))]));
  }

  #sign(): ZoneContent {
    const soa = `ns1-1.ns.example. hostmaster.example. ${this.#serial} 1 2 3 300`;
    const own = [
      { type: RR_TYPE.SOA, rdata: rdataToWire('SOA', soa, null) },
      { type: RR_TYPE.NS, rdata: rdataToWire('NS', 'ns1-1.ns.example.', null) },
    ].map((record) => ({ ...record, owner: this.#apex, ttl: 3_600 }));
    const hosts = Array.from(this.#hosts, ([host, data]) => ({
      ...{ owner: nameToWire(host), type: RR_TYPE.A, ttl: 3_600 },
      rdata: rdataToWire('A', data, null),
    }));
    const content = { apex: this.#apex, serial: this.#serial, records: [...own, ...hosts] };
    return signZone(content, { algorithm: 15 });
  }

  async #writeJournal(trx: Database, action: string, name: string): Promise<void> {
    const image = JSON.stringify({ name });
    const images = action === 'record-create' ? [null, image] : [image, null];
    await trx.raw(
      `insert into dns.zone_changes
              (domain_id, serial_before, serial_after, action, before, after, user_id, request_id)
       values (?, ?, ?, ?, cast(? as jsonb), cast(? as jsonb), 'user', 'request')`,
      [this.#id, this.#serial - 1, this.#serial, action, ...images] as string[],
    );
  }
}

async function ask({ host, port }: RunningNameserver, question: string) {
  const query = buildQuery({ question, edns: { isDnssecOk: true } });
  const message = decodeMessage(await exchangeUdp({ host, port }, query, 8_000));
  const types = [...message.answers, ...message.authorities].map((line) => line.split(' ')[3]);
  return { rcode: message.rcode, types: types.sort().join(' ') };
}

const MISSING = { rcode: 'NXDOMAIN', types: 'NSEC NSEC RRSIG RRSIG RRSIG SOA' };
const FOUND = { rcode: 'NOERROR', types: 'A RRSIG' };
const settings = () => ({ DATABASE_URL: database.urlAs(DATABASE_ROLES.nameserver) });

async function readStatus(name: string) {
  const { rows } = await database.db.raw<{
    rows: { capabilities: string[] | null; failed: Record<string, number> | null }[];
  }>(
    'select s.capabilities, s.failed_zones as failed from dns.nameserver_status as s where s.name = ?',
    [name],
  );
  return rows[0];
}

describe('signed zones from the database', () => {
  it('are answered with the signed data, and a change that is not signed completely is not applied', async () => {
    const zone = new SignedZone('small.example.');
    await zone.create(['a.small.example.', 'm.small.example.']);
    const server = await startLoadedNameserver({ ...settings(), NAMESERVER_NAME: 'ns1-7' });
    expect(await ask(server, 'a.small.example. A')).toEqual(FOUND);
    expect(await ask(server, 'b.small.example. A')).toEqual(MISSING);
    await expectEventually(async () => (await readStatus('ns1-7'))?.capabilities?.[0] === 'dnssec');

    await zone.step((trx) => zone.addHosts(trx, ['b.small.example.']));
    await expectEventually(
      async () => (await ask(server, 'b.small.example. A')).rcode === 'NOERROR',
    );

    const withoutOne = (records: readonly ZoneRecord[]) =>
      records.filter(({ type, rdata }) => type !== RR_TYPE.RRSIG || rdata[1] !== RR_TYPE.A);
    await zone.step((trx) => zone.addHosts(trx, ['c.small.example.']), withoutOne);
    await expectEventually(
      async () => (await readStatus('ns1-7'))?.failed?.['small.example.'] === 102,
    );
    expect(await ask(server, 'b.small.example. A')).toEqual(FOUND);
    expect(await ask(server, 'c.small.example. A')).toEqual(MISSING);

    await zone.step((trx) => zone.removeHost(trx, 'b.small.example.'));
    await expectEventually(
      async () => (await ask(server, 'b.small.example. A')).rcode !== 'NOERROR',
    );
    expect(await ask(server, 'c.small.example. A')).toEqual(FOUND);
  });

  it('large ones are patched with the names listed in signing steps', async () => {
    const zone = new SignedZone('large.example.');
    const hosts = Array.from({ length: 1_100 }, (_, n) => `h${n}.large.example.`);
    await zone.create(hosts);
    const server = await startLoadedNameserver(settings());
    expect(await ask(server, 'h1.large.example. A')).toEqual(FOUND);
    // A complete reading would find the zone invalid and reject it.
    await zone.loseSignatures('h500.large.example.');
    await zone.step((trx) => zone.addHosts(trx, ['h0a.large.example.']));
    await expectEventually(
      async () => (await ask(server, 'h0a.large.example. A')).rcode === 'NOERROR',
    );
    expect(await ask(server, 'h0b.large.example. A')).toEqual(MISSING);
    await zone.step((trx) => zone.removeHost(trx, 'h1.large.example.'));
    await expectEventually(
      async () => (await ask(server, 'h1.large.example. A')).rcode !== 'NOERROR',
    );
    expect(await ask(server, 'h1.large.example. A')).toEqual(MISSING);
    expect(await readMetric(server, 'zonewright_nameserver_zone_failures_total')).toBe(0);
    const left = await readMetric(server, 'zonewright_nameserver_signature_seconds_left');
    expect(left / 86_400).toBeGreaterThan(20);
  });
});
