import { beforeAll, describe, expect, it } from '@jest/globals';
import { rdataToWire, RR_CLASS } from '@zonewright/dns-records';
import { signerEnv } from '../support/use-signer.js';
import { A, useFaultWorld, type Zone } from './use-fault-world.js';
import { useStatements } from './use-statements.js';
import { rrOf } from './use-write-platform.js';

const UNSIGNED = ['update-ground', 'commit'];
const SIGNED = ['update-ground', 'signing-ground', 'commit-signed'];

const world = useFaultWorld(await signerEnv());
const { platform } = world;

const recorder = useStatements(() => platform.db);
const statementsOf = ({ id }: Zone, change: () => Promise<unknown>) => recorder.of([id], change);

async function createSigned(): Promise<Zone> {
  const zone = await world.createZone();
  await world.done('PUT', `${zone.path}/dnssec`, { enabled: true });
  await platform.signer.run();
  return zone;
}

const addressOf = (zone: Zone, label: string) =>
  rrOf(`${label}.${zone.name}`, 'A', { ttl: 60, rdata: rdataToWire('A', '192.0.2.7', null) });

async function update(zone: Zone, ...authorities: ReturnType<typeof rrOf>[]) {
  const messages = authorities.map((each) => ({
    ...{ who: 'owner', zone: zone.name, parts: { authorities: [each] } },
  })) as Parameters<typeof platform.update>[0];
  const codes = (await platform.update(messages)).map(({ rcode }) => rcode);
  expect(codes).toEqual(authorities.map(() => 'NOERROR'));
}

/** Makes the database refuse records with this name, as it would after an internal error. */
async function refuseInDatabase(name: string): Promise<void> {
  await platform.db.raw(`
    create function dns.refuse_in_test() returns trigger language plpgsql as $body$
    begin
      raise unique_violation using constraint = 'records_unique';
    end
    $body$;
    create trigger refuse_in_test before insert on dns.records
      for each row when (new.name = '${name}') execute function dns.refuse_in_test()`);
}

describe.each([
  ['an unsigned domain', () => world.createZone(), UNSIGNED],
  ['a signed domain', createSigned, SIGNED],
])('statements of a change of %s', (_, create, expected) => {
  let zone: Zone;
  beforeAll(async () => {
    zone = await create();
    // Sessions, keys and zone names are read only once, before the measurement.
    await world.add(zone, 'first', A);
    await update(zone, addressOf(zone, 'first-update'));
  });

  it('reads all with one statement and writes all with another, in v1', async () => {
    let path = '';
    const created = await statementsOf(zone, async () => {
      path = `${zone.path}/records/${(await world.add(zone, 'one', A)).id}`;
    });
    const updated = await statementsOf(zone, () => world.done('PUT', path, { ttl: 900 }));
    const deleted = await statementsOf(zone, () => world.done('DELETE', path));
    expect({ created, updated, deleted }).toEqual({
      ...{ created: expected, updated: expected, deleted: expected },
    });
  });

  it('does so for recordsets of v2', async () => {
    let path = '';
    const created = await statementsOf(zone, async () => {
      path = await world.addSet(zone, 'set', ['192.0.2.1', '192.0.2.2']);
    });
    const records = ['192.0.2.2', '192.0.2.3'];
    const updated = await statementsOf(zone, () => world.done('PUT', path, { records }));
    const deleted = await statementsOf(zone, () => world.done('DELETE', path));
    expect({ created, updated, deleted }).toEqual({
      ...{ created: expected, updated: expected, deleted: expected },
    });
  });

  it('does so with an Idempotency-Key and for a client that waits, and only reads for a dry run', async () => {
    const ask = async (label: string, headers: object, query = '') => {
      const body = { name: `${label}.${zone.name}`, ...A };
      const path = `${zone.path}/records${query}`;
      return await statementsOf(zone, async () => {
        const { status } = await platform.callWith(headers, 'owner', 'POST', path, body);
        expect(status).toBe(200);
      });
    };
    const key = { 'idempotency-key': `key-${zone.id}` };
    expect({
      created: await ask('key', key),
      repeated: await ask('key', key),
      awaited: await ask('wait', { prefer: 'wait=1' }),
      tried: await ask('tried', {}, '?dry_run=true'),
    }).toEqual({
      ...{ created: expected, repeated: expected.slice(0, 1), awaited: expected },
      tried: expected.slice(0, 1),
    });
  });

  it('does so for an update by DNS', async () => {
    const updated = await statementsOf(zone, () => update(zone, addressOf(zone, 'two')));
    const deleted = await statementsOf(zone, () =>
      update(zone, rrOf(`two.${zone.name}`, 'A', { class: RR_CLASS.ANY })),
    );
    expect({ updated, deleted }).toEqual({ updated: expected, deleted: expected });
  });

  it('shares them among updates that come together', async () => {
    const labels = Array.from({ length: 14 }, (__, n) => `n${n}`);
    const statements = await statementsOf(zone, () =>
      update(zone, ...labels.map((label) => addressOf(zone, label))),
    );
    const groups = statements.length / expected.length;
    expect(groups).toBeLessThan(labels.length / 2);
    expect(statements).toEqual(Array.from({ length: groups }, () => expected).flat());
  });

  it('counts no disabled records in a domain that is more than half full', async () => {
    const ofHalf = Array.from({ length: 4 }, (__, n) => addressOf(zone, `half${n}`));
    await update(zone, ...ofHalf);
    expect(await statementsOf(zone, () => world.add(zone, 'more', A))).toEqual(expected);
  });
});

describe('a group of which the database refuses one change', () => {
  it('applies the others, in fewer statements than one by one', async () => {
    const zone = await world.createZone();
    await update(zone, addressOf(zone, 'first-update'));
    await refuseInDatabase(`n5.${zone.name}`);
    const labels = Array.from({ length: 24 }, (__, n) => `n${n}`);
    const messages = labels.map((label) => ({
      ...{
        who: 'owner' as const,
        zone: zone.name,
        parts: { authorities: [addressOf(zone, label)] },
      },
    }));
    let codes: string[] = [];
    const statements = await statementsOf(zone, async () => {
      codes = (await platform.update(messages)).map(({ rcode }) => rcode);
    });
    expect(codes).toEqual(labels.map((label) => (label === 'n5' ? 'SERVFAIL' : 'NOERROR')));
    const groups = statements.filter((name) => name === 'commit').length;
    expect(groups).toBeLessThan(labels.length);
  });
});
