import { describe, expect, it } from '@jest/globals';
import { systemClock } from '@zonewright/service-kit';
import { waitFor } from '@zonewright/testkit';
import { importDomain, listDomainParts, listRecordParts, readDomain } from '@zonewright/zones';
import { randomUUID } from 'node:crypto';
import { readSignedZone, ZoneVerifier } from '../support/signed-zone.js';
import { signerEnv } from '../support/use-signer.js';
import { A, DS, NS, OFF, ON, refusalOf, useFaultWorld, type Zone } from './use-fault-world.js';
import type { Who } from './use-write-platform.js';
import { findBroken } from './zone-state.js';

// Tests changes of whole zones with each feature that these zones can have.

const world = useFaultWorld(await signerEnv());
const { platform, freshName, ask, done, createZone, tryAdd, add, change } = world;
const { served, serials, transfer } = world;
const verifier = new ZoneVerifier();
const END = '2099-01-31T12:00:00Z';

async function sign({ path }: Zone): Promise<void> {
  await done('PUT', `${path}/dnssec`, { enabled: true });
  await platform.signer.run();
}

async function expectSigned({ name }: Zone): Promise<string> {
  const text = await readSignedZone(platform.db, name);
  expect(await verifier.faultsOf(name, text)).toBe('');
  return text;
}

/** Makes all records with an expiry time expire. */
async function endAll({ id }: Zone): Promise<void> {
  for (const table of ['dns.records', 'dns.disabled_records']) {
    await platform.db.raw(
      `update ${table} set flags = jsonb_set(flags, '{expiresAt}', '"2020-01-01T00:00:00.000000"')
        where domain_id = ? and flags ->> 'expiresAt' is not null`,
      [id],
    );
  }
}

const isServed = (zone: Zone, expected: readonly string[]) =>
  waitFor(async () => String(await served(zone)) === String(expected));
const undelete = async (zone: Zone) => {
  await done('DELETE', zone.path);
  return async () => await done('POST', `${zone.path}/undelete`);
};

async function accept(zone: Zone): Promise<void> {
  const { id, key } = await done('POST', `/v2/zones/${zone.id}/tasks/transfer_requests`, {});
  const body = { key, zone_transfer_request_id: id };
  await done('POST', '/v2/zones/tasks/transfer_accepts', body, 'sharer');
}

/** Creates a signed zone with its owner's nameservers, a DNAME, a delegation, and a disabled record. */
async function createFull(name?: string) {
  const zone = await createZone(name);
  await add(zone, '', NS);
  await add(zone, 'old', { type: 'DNAME', data: 'example.net.' });
  await add(zone, 'cut', NS);
  await add(zone, 'cut', DS);
  await add(zone, 'ends', { ...A, expires_at: END });
  const off = await add(zone, 'off', { ...A, ...OFF });
  await sign(zone);
  return { zone, off };
}
const FULL = ['cut DS', 'cut NS', 'NS', 'old DNAME'];

describe('undelete', () => {
  it('restores signatures, nameservers of the owner, DNAME and disabled records; an expiry that has passed takes effect', async () => {
    const { zone, off } = await createFull();
    const back = await undelete(zone);
    await endAll(zone);
    await back();
    await isServed(zone, FULL);
    expect((await change(zone, off.id, ON)).status).toBe(200);
    expect(await served(zone)).toEqual(['cut DS', 'cut NS', 'NS', 'off A', 'old DNAME']);
    await expectSigned(zone);
    expect(await findBroken(platform.db, zone)).toEqual([]);
  });

  it('takes effect once if two are requested at once', async () => {
    const zone = await createZone();
    await add(zone, 'www', A);
    await done('DELETE', zone.path);
    const path = `${zone.path}/undelete`;
    const answers = await Promise.all([ask('POST', path), ask('POST', path)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await findBroken(platform.db, zone)).toEqual([]);
  });

  it('keeps the history: earlier changes are reverted and restored', async () => {
    const zone = await createZone();
    await add(zone, 'one', A);
    const { serial } = await done('GET', zone.path);
    await add(zone, 'two', A);
    const last = (await serials(zone)).at(-1);
    await (
      await undelete(zone)
    )();
    await done('POST', `${zone.path}/changes/${last}/revert`);
    expect(await served(zone)).toEqual(['one A']);
    await done('POST', `${zone.path}/changes/${(await serials(zone)).at(-1)}/revert?confirm=true`);
    expect(await served(zone)).toEqual(['one A', 'two A']);
    await done('POST', `${zone.path}/restore`, { serial, confirm: true });
    expect(await served(zone)).toEqual(['one A']);
    expect(await findBroken(platform.db, zone)).toEqual([]);
  });

  it('restores a secondary zone with its primaries, which update it as before', async () => {
    const zone = await createZone();
    expect(await transfer(zone, 7, [[`www.${zone.name}`, 'A', '192.0.2.7']])).toBeNull();
    await (
      await undelete(zone)
    )();
    expect((await tryAdd(zone, 'own', A)).status).toBe(403);
    expect(await transfer(zone, 8, [[`new.${zone.name}`, 'A', '192.0.2.7']])).toBeNull();
    expect(await served(zone)).toEqual(['NS', 'SOA', 'new A']);
    expect(await findBroken(platform.db, zone)).toEqual([`${zone.name} SOA`]);
  });
});

describe('accept of a transfer between projects', () => {
  const rest = async (zone: Zone, who: Who) => (await ask('GET', zone.path, undefined, who)).status;

  it('moves signatures, nameservers of the owner, DNAME, disabled records and later expiries', async () => {
    const { zone } = await createFull();
    const child = await createZone(`child.${zone.name}`);
    await sign(child);
    await accept(zone);
    expect([await rest(child, 'owner'), await rest(child, 'sharer')]).toEqual([404, 200]);
    await endAll(zone);
    await isServed(zone, FULL);
    await expectSigned(zone);
    await expectSigned(child);
    expect(await findBroken(platform.db, zone)).toEqual([]);
  });

  it('moves a secondary zone with its primaries', async () => {
    const zone = await createZone();
    expect(await transfer(zone, 7, [[`www.${zone.name}`, 'A', '192.0.2.7']])).toBeNull();
    await accept(zone);
    const primaries = `${zone.path}/primaries`;
    expect((await ask('GET', primaries, undefined, 'sharer')).body).toMatchObject({
      serial: 7,
      primaries: [world.place],
    });
    await done('DELETE', primaries, undefined, 'sharer');
    expect(await served(zone)).toEqual(['www A']);
    expect(await findBroken(platform.db, zone)).toEqual([]);
  });
});

describe('transfers in beside hosted children', () => {
  it('of the parent take what they bring at the child, which stays as it is', async () => {
    const zone = await createZone();
    const child = await createZone(`sub.${zone.name}`);
    await add(child, 'www', A);
    await sign(child);
    const at = (label: string) => `${label}.${zone.name}`;
    const problem = await transfer(zone, 7, [
      [at('sub'), 'NS', 'ns.elsewhere.example.'],
      [at('sub'), 'DS', DS.data],
      [at('www.sub'), 'A', '192.0.2.7'],
    ]);
    expect(problem).toBeNull();
    expect(await served(zone)).toEqual(['NS', 'SOA', 'sub DS', 'sub NS', 'www.sub A']);
    // A child that comes between two transfers changes nothing in its parent.
    const late = await createZone(at('late'));
    expect(await transfer(zone, 8, [[at('late'), 'DS', DS.data]])).toBeNull();
    expect(await served(zone)).toEqual(['NS', 'SOA', 'late DS']);
    await done('DELETE', late.path);
    expect(await transfer(zone, 9, [[at('late'), 'NS', 'ns.elsewhere.example.']])).toBeNull();
    await done('POST', `${late.path}/undelete`);
    expect(await served(zone)).toEqual(['NS', 'SOA', 'late NS']);
    expect(await served(child)).toEqual(['www A']);
    await expectSigned(child);
    for (const each of [child, late]) expect(await findBroken(platform.db, each)).toEqual([]);
    expect(await findBroken(platform.db, zone)).toEqual([`${zone.name} SOA`]);
  });

  it('of the child leave its signed parent valid, with the DS of the owner, which goes with the primaries', async () => {
    const zone = await createZone();
    await sign(zone);
    const child = await createZone(`sub.${zone.name}`);
    expect(await transfer(child, 7, [[`www.${child.name}`, 'A', '192.0.2.7']])).toBeNull();
    await add(zone, 'sub', DS);
    const before = (await serials(zone)).at(-1);
    expect(await transfer(child, 8, [[`new.${child.name}`, 'A', '192.0.2.7']])).toBeNull();
    expect((await serials(zone)).at(-1)).toBe(before);
    expect(await expectSigned(zone)).toMatch(new RegExp(`^${child.name} .* DS `, 'm'));
    await done('DELETE', `${child.path}/primaries`);
    expect(await served(child)).toEqual(['new A']);
    expect(await served(zone)).toEqual([]);
    expect(await expectSigned(zone)).not.toMatch(new RegExp(`^${child.name} .* DS `, 'm'));
    for (const each of [zone, child]) expect(await findBroken(platform.db, each)).toEqual([]);
  });
});

describe('removal of primaries', () => {
  it('keeps the records that a primary zone may have beside hosted children, and the zone can be signed', async () => {
    const zone = await createZone();
    const child = await createZone(`sub.${zone.name}`);
    const { name } = zone;
    const problem = await transfer(zone, 7, [
      [`sub.${name}`, 'NS', 'ns.elsewhere.example.'],
      [`sub.${name}`, 'DS', DS.data],
      [`www.sub.${name}`, 'A', '192.0.2.7'],
      [`old.${name}`, 'DNAME', 'example.net.'],
      [`cut.${name}`, 'NS', 'ns.elsewhere.example.'],
      [`cut.${name}`, 'DS', DS.data],
      [`glue.cut.${name}`, 'A', '192.0.2.7'],
    ]);
    expect(problem).toBeNull();
    await done('DELETE', `${zone.path}/primaries`);
    await sign(zone);
    const text = await expectSigned(zone);
    expect(text).not.toMatch(new RegExp(`^${child.name} .* DS `, 'm'));
    expect(text).toMatch(new RegExp(`^cut.${name} .* DS `, 'm'));
    await sign(child);
    await expectSigned(zone);
    await expectSigned(child);
    const rows = await world.rowsOf(zone);
    for (const row of rows) {
      const { status, body } = await ask('DELETE', `${zone.path}/records/${row.id}?all_types=true`);
      expect([row.name, row.type, status, body]).toEqual([row.name, row.type, 200, body]);
    }
    expect(await findBroken(platform.db, zone)).toEqual([]);
    expect(refusalOf(await tryAdd(zone, 'www.sub', A)).validators).toEqual(['childDomain']);
  });
});

describe('a change of the nameservers', () => {
  const apexOf = async ({ id }: Zone) => {
    const { rows } = await platform.db.raw<{ rows: { isLatest: boolean }[] }>(
      `select d.apex_version = (select max(v.version) from dns.apex_versions as v) as "isLatest"
         from dns.domains as d where d.id = ?`,
      [id],
    );
    return rows[0]?.isLatest;
  };

  it('changes signed zones once, also if their owner has the same nameserver, and deleted and secondary ones when they return', async () => {
    const { zone } = await createFull();
    const child = await createZone(`child.${zone.name}`);
    const deleted = await createZone();
    await sign(deleted);
    await done('DELETE', deleted.path);
    const secondary = await createZone();
    expect(await transfer(secondary, 7, [])).toBeNull();
    const { serial } = await done('GET', secondary.path);
    await platform.db.raw(
      `insert into dns.servers (name, position, ipv4) values (?, 3, '192.0.2.3')`,
      [NS.data],
    );
    await waitFor(async () => {
      await platform.signer.run();
      return (await apexOf(zone)) === true && (await apexOf(child)) === true;
    });
    const text = await expectSigned(zone);
    const serversAt = (name: string) => text.match(new RegExp(`^${name} \\d+ IN NS `, 'gm'));
    expect([serversAt(zone.name)?.length, serversAt(child.name)?.length]).toEqual([3, 3]);
    expect(await findBroken(platform.db, zone)).toEqual([]);
    expect((await done('GET', secondary.path)).serial).toBe(serial);
    await done('POST', `${deleted.path}/undelete`);
    await done('DELETE', `${secondary.path}/primaries`);
    expect([await apexOf(deleted), await apexOf(secondary)]).toEqual([true, true]);
    await expectSigned(deleted);
  });
});

describe('account import', () => {
  /** Imports a copy of a domain under another name, as from the document of another installation. */
  async function importCopy({ id, name }: Zone): Promise<Zone> {
    const { db } = platform;
    const { rows } = await db.raw<{ rows: { tenantId: string }[] }>(
      'select d.tenant_id as "tenantId" from dns.domains as d where d.id = ?',
      [id],
    );
    const all = { after: '00000000-0000-0000-0000-000000000000', limit: 1_000 };
    const parts = await listDomainParts(db, [rows[0]!.tenantId], all);
    const part = parts.find((each) => each.id === id)!;
    const copy = { id: randomUUID(), name: freshName() };
    const records = (await listRecordParts(db, id, all)).map((each) => ({
      ...{ ...each, id: randomUUID() },
      name: each.name.replace(name, copy.name),
    }));
    const { domain, problems } = await readDomain({ ...part, ...copy }, records, systemClock);
    expect(problems).toEqual([]);
    const step = { requestId: 'import', clock: systemClock };
    expect(await db.transaction((trx) => importDomain(trx, domain, step))).toBe(true);
    return { ...copy, path: `/v1/domains/${copy.id}` };
  }

  /** Sets the number of records that the owner's domains may have while it runs. */
  async function withLimit({ id }: Zone, most: number, work: () => Promise<void>): Promise<void> {
    const limit = async (value: number | null) => {
      await platform.db.raw(
        `insert into dns.quotas (tenant_id, max_domain_records) select d.tenant_id, ? from dns.domains as d where d.id = ?
         on conflict (tenant_id) do update set max_domain_records = excluded.max_domain_records`,
        [value, id],
      );
    };
    await limit(most);
    try {
      await work();
    } finally {
      await limit(null);
    }
  }

  it('may have more records than the quota allows, and later changes count all of them', async () => {
    const source = await createZone();
    for (let n = 0; n < 5; n += 1) await add(source, `on${n}`, A);
    for (let n = 0; n < 3; n += 1) await add(source, `off${n}`, { ...A, ...OFF });
    await withLimit(source, 6, async () => {
      const zone = await importCopy(source);
      expect(await findBroken(platform.db, zone)).toEqual([]);
      const rows = await world.rowsOf(zone);
      const [off] = rows.filter(({ isOff }) => isOff);
      const addOne = async () => (await tryAdd(zone, 'new', A)).status;
      expect(await addOne()).toBe(413);
      // Enabling a record does not change the number of records.
      expect((await change(zone, off!.id, ON)).status).toBe(200);
      for (const { id } of rows.filter(({ isOff }) => !isOff).slice(0, 2)) {
        await done('DELETE', `${zone.path}/records/${id}`);
        expect(await addOne()).toBe(413);
      }
      await done('DELETE', `${zone.path}/records/${off!.id}`);
      expect(await addOne()).toBe(200);
      expect(await findBroken(platform.db, zone)).toEqual([]);
    });
  });

  it('may have more disabled records than the half that the quota allows', async () => {
    const source = await createZone();
    for (let n = 0; n < 4; n += 1) await add(source, `off${n}`, { ...A, ...OFF });
    await withLimit(source, 6, async () => {
      const zone = await importCopy(source);
      expect((await tryAdd(zone, 'more', { ...A, ...OFF })).status).toBe(413);
      expect((await tryAdd(zone, 'more', A)).status).toBe(200);
    });
  });

  it('may have more octets than the quota allows, and later changes cannot add long data', async () => {
    const source = await createZone();
    const text = (length: number) => ({
      type: 'TXT',
      data: `"${'x'.repeat(200)}" `.repeat(length),
    });
    for (let n = 0; n < 3; n += 1) await add(source, `text${n}`, text(20));
    await withLimit(source, 6, async () => {
      const zone = await importCopy(source);
      expect((await tryAdd(zone, 'more', text(10))).status).toBe(413);
      expect((await tryAdd(zone, 'more', A)).status).toBe(200);
      expect(await findBroken(platform.db, zone)).toEqual([]);
    });
  });
});
