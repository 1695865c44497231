import { describe, expect } from '@jest/globals';
import { nameToWire, rdataToWire } from '@zonewright/dns-records';
import { useApi } from '../support/use-api.js';
import { signerEnv } from '../support/use-signer.js';
import { itHolds } from './open-faults.js';
import {
  A,
  DS,
  MOST_OCTETS,
  NS,
  OFF,
  ON,
  refusalOf,
  useFaultWorld,
  validatorsOf,
  type Zone,
} from './use-fault-world.js';
import { rrOf } from './use-write-platform.js';

// Tests of faults in records and in the rules between them, each through the API in which a user meets it.

const world = useFaultWorld(await signerEnv());
const {
  platform,
  freshName,
  ask,
  done,
  createZone,
  tryAdd,
  add,
  change,
  addSet,
  rowsOf,
  served,
  serials,
} = world;
/** The API with the usual limits. */
const roomy = useApi({ env: { DNS_API_MAX_DOMAINS: '1000' } });

describe('A. Disabled records are checked when they are enabled', () => {
  itHolds('A1', 'an MX record whose target has no address cannot be enabled', async () => {
    const zone = await createZone();
    const mx = { type: 'MX', priority: 10, data: `none.${zone.name}` };
    const { id } = await add(zone, '', { ...mx, ...OFF });
    expect(refusalOf(await change(zone, id, ON))).toEqual({
      status: 400,
      validators: ['mailTarget'],
    });
  });

  itHolds(
    'A1',
    'an MX record whose target has no address cannot be enabled by a revert',
    async () => {
      const zone = await createZone();
      const address = await add(zone, 'mail', A);
      const mx = await add(zone, '', { type: 'MX', priority: 10, data: `mail.${zone.name}` });
      expect((await change(zone, mx.id, OFF)).status).toBe(200);
      const off = (await serials(zone)).at(-1);
      await done('DELETE', `${zone.path}/records/${address.id}`);
      const reverted = await ask('POST', `${zone.path}/changes/${off}/revert`);
      expect(refusalOf(reverted)).toEqual({ status: 400, validators: ['mailTarget'] });
    },
  );

  itHolds('A2', 'a record inside a child domain cannot be enabled', async () => {
    const zone = await createZone();
    await createZone(`sub.${zone.name}`);
    const { id } = await add(zone, 'www.sub', { ...A, ...OFF });
    expect(refusalOf(await change(zone, id, ON))).toEqual({
      status: 400,
      validators: ['childDomain'],
    });
    expect(await served(zone)).toEqual([]);
  });

  itHolds(
    'renamed into child',
    'a disabled record cannot be renamed into a child domain and enabled there',
    async () => {
      const zone = await createZone();
      await createZone(`sub.${zone.name}`);
      const { id } = await add(zone, 'www', { ...A, ...OFF });
      const answers = [
        await change(zone, id, { name: `www.sub.${zone.name}` }),
        await change(zone, id, ON),
      ];
      expect(answers.map(validatorsOf)).toContainEqual(['childDomain']);
      expect(await served(zone)).not.toContain('www.sub A');
    },
  );

  itHolds('A3', 'the data of all enabled records stays within the limit', async () => {
    const zone = await createZone();
    const data = `"${'x'.repeat(250)}" `.repeat(24).trim();
    const made: Awaited<ReturnType<typeof ask>>[] = [];
    for (let n = 0; n < 8; n += 1) {
      made.push(await tryAdd(zone, `t${n}`, { type: 'TXT', data, ...OFF }));
    }
    const statuses = made.map(({ status }) => status);
    for (const { id } of await rowsOf(zone)) statuses.push((await change(zone, id, ON)).status);
    const octets = (await rowsOf(zone)).reduce(
      (sum, row) => sum + (row.isOff ? 0 : row.data.length),
      0,
    );
    expect(octets).toBeLessThanOrEqual(MOST_OCTETS);
    expect(statuses).toContain(413);
  });

  itHolds(
    'A4',
    'a project that accepts a zone needs room for its disabled records, too',
    async () => {
      const zone = await createZone();
      for (let n = 0; n < 8; n += 1) await add(zone, `on${n}`, A);
      for (let n = 0; n < 5; n += 1) await add(zone, `off${n}`, { ...A, ...OFF });
      const tenantId = platform.sharerId;
      const offers = `/v2/zones/${zone.id}/tasks/transfer_requests`;
      const { id, key } = await done('POST', offers, {});
      const limit = (most: number | null) =>
        platform.db.raw(
          `insert into dns.quotas (tenant_id, max_domain_records) values (?, ?)
         on conflict (tenant_id) do update set max_domain_records = excluded.max_domain_records`,
          [tenantId, most],
        );
      await limit(10);
      const body = { key, zone_transfer_request_id: id };
      const { status } = await ask('POST', '/v2/zones/tasks/transfer_accepts', body, 'sharer');
      await limit(null);
      expect(status).toBe(413);
    },
  );

  itHolds('A5', 'a domain with disabled records gets no primaries', async () => {
    const zone = await createZone();
    await add(zone, 'www', { ...A, ...OFF });
    const { status } = await ask('PUT', `${zone.path}/primaries`, { primaries: [world.place] });
    expect(status).toBe(409);
  });
});

/** Creates a zone of ten records, four of them in one recordset that a restricted key is to delete. */
async function createGuarded(): Promise<{ zone: Zone; recordset: string }> {
  const zone = await createZone();
  for (let n = 0; n < 6; n += 1) await add(zone, `a${n}`, A);
  const texts = [1, 2, 3, 4].map((n) => `192.0.2.${n}`);
  return { zone, recordset: await addSet(zone, 'set', texts) };
}

describe('C. Checks that apply to every path', () => {
  itHolds(
    'C11',
    'massDelete: a key without this right cannot remove many records by DELETE of v2',
    async () => {
      const { zone, recordset } = await createGuarded();
      expect((await ask('DELETE', recordset, undefined, 'restricted')).status).toBe(403);
      expect(await served(zone)).toHaveLength(10);
    },
  );

  itHolds('C11', 'massDelete: nor by PUT of v2', async () => {
    const { zone, recordset } = await createGuarded();
    const answer = await ask('PUT', recordset, { records: ['192.0.2.9'] }, 'restricted');
    expect(answer.status).toBe(403);
    expect(await served(zone)).toHaveLength(10);
  });

  itHolds(
    'shared delete',
    'a project with which the zone is shared cannot delete all of it',
    async () => {
      const zone = await createZone();
      await done('POST', `/v2/zones/${zone.id}/shares`, { target_project_id: platform.sharerId });
      const texts = Array.from({ length: 10 }, (_, n) => `192.0.2.${n}`);
      const path = await addSet(zone, 'set', texts);
      expect([400, 403]).toContain((await ask('DELETE', path, undefined, 'sharer')).status);
      expect(await served(zone)).toHaveLength(10);
    },
  );

  itHolds('C12', '"confirm" for a change that needs no right requires none', async () => {
    const { zone } = await createGuarded();
    const [row] = await rowsOf(zone);
    const operations = [{ action: 'delete', id: row?.id }];
    const batch = await ask(
      'POST',
      `${zone.path}/batch`,
      { operations, confirm: true },
      'restricted',
    );
    expect(batch.status).toBe(200);
  });
});

describe('D. Delegations', () => {
  itHolds(
    'DS',
    'a DS record is deleted with the last NS record of its name, in the same change',
    async () => {
      const zone = await createZone();
      const { id } = await add(zone, 'cut', NS);
      await add(zone, 'cut', DS);
      const before = await serials(zone);
      await done('DELETE', `${zone.path}/records/${id}?all_types=true`);
      expect(await served(zone)).toEqual([]);
      expect(await serials(zone)).toHaveLength(before.length + 1);
    },
  );

  itHolds('DS', 'it is not served while the NS record is disabled', async () => {
    const zone = await createZone();
    const { id } = await add(zone, 'cut', NS);
    await add(zone, 'cut', DS);
    await change(zone, id, OFF);
    expect(await served(zone)).not.toEqual(['cut DS']);
  });

  itHolds(
    'DS of a new child',
    'a DS record is deleted when a child domain is created at its name',
    async () => {
      const zone = await createZone();
      await add(zone, 'cut', NS);
      await add(zone, 'cut', DS);
      await createZone(`cut.${zone.name}`);
      expect(await served(zone)).not.toContain('cut DS');
    },
  );

  itHolds('wildcard NS', 'RFC 4592 s4.2: a wildcard is not delegated', async () => {
    const zone = await createZone();
    const made = await tryAdd(zone, '*', NS);
    expect(made.status).toBe(400);
    const set = { name: `*.${zone.name}`, type: 'NS', records: [NS.data] };
    expect((await ask('POST', `/v2/zones/${zone.id}/recordsets`, set)).status).toBe(400);
    const ns = rrOf(`*.${zone.name}`, 'NS', { ttl: 60, rdata: nameToWire(NS.data) });
    const parts = { authorities: [ns] };
    const [updated] = await platform.update([{ who: 'owner', zone: zone.name, parts }]);
    expect(updated?.rcode).toBe('REFUSED');
    expect(await served(zone)).toEqual([]);
  });
});

describe('What no message can contain', () => {
  const create = async () => {
    const body = { name: freshName(), email: 'a@example.com' };
    const { id, name } = (await roomy.call('post', '/v1/domains', body)).body as Zone;
    return { id, name, records: `/v1/domains/${id}/records` };
  };

  itHolds('large RRset', 'two TXT records of 40,000 octets at a name are refused', async () => {
    const { name, records } = await create();
    const text = (letter: string) => ({ name, type: 'TXT', data: letter.repeat(40_000) });
    await roomy.call('post', records, text('x')).expect(200);
    expect([400, 413]).toContain((await roomy.call('post', records, text('y'))).status);
  });

  itHolds('large RRset', '101 records of a name and type are refused', async () => {
    const { id, name } = await create();
    const operations = Array.from({ length: 101 }, (_, n) => ({
      action: 'create',
      record: { name, type: 'A', data: `192.0.2.${n}` },
    }));
    const { status } = await roomy.call('post', `/v1/domains/${id}/batch`, { operations });
    expect([400, 413]).toContain(status);
  });

  itHolds(
    'large record',
    'a TXT record of 64,957 octets, which no transfer can contain, is refused',
    async () => {
      const { name, records } = await create();
      // Each string of 255 octets needs one more octet for its length.
      const data = `${`"${'x'.repeat(255)}" `.repeat(253)}"${'x'.repeat(64_957 - 253 * 256 - 1)}"`;
      expect(rdataToWire('TXT', data, null)).toHaveLength(64_957);
      const { status } = await roomy.call('post', records, { name, type: 'TXT', data });
      expect([400, 413]).toContain(status);
    },
  );
});
