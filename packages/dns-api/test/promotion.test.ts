import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type MessageRecord, nameToWire, RR_CLASS, RR_TYPE } from '@zonewright/dns-records';
import { waitFor } from '@zonewright/testkit';
import { createDomain, createRecord, type DomainBody, readDomain } from './support/fixtures.js';
import { record, ScriptedPrimary, soa } from './support/scripted-primary.js';
import { useApi } from './support/use-api.js';

/** The number of changes up to which each one has a journal entry. */
const MAX_JOURNALED = 10_000;

const api = useApi({
  env: {
    DNS_API_PRIVATE_PRIMARIES: 'true',
    DNS_API_MAX_DOMAINS: '1000',
    DNS_API_MAX_DOMAIN_RECORDS: '20000',
  },
});
const primary = new ScriptedPrimary();
let place = { address: '', port: 0 };
beforeAll(async () => {
  place = await primary.start();
});
afterAll(() => {
  primary.stop();
});

const pathOf = ({ id }: DomainBody, rest: string) => `/v1/domains/${id}${rest}`;

/** Transfers the domain from its primary in this version. */
async function take(zone: DomainBody, serial: number, others: readonly MessageRecord[]) {
  const ns = record(zone.name, 'NS', 'ns.elsewhere.example.');
  const all = [soa(zone.name, serial), ns, ...others, soa(zone.name, serial)];
  primary.script = (type) => (type === 'SOA' ? [[soa(zone.name, serial)]] : [all]);
  const refreshed = await api.call('post', pathOf(zone, '/primaries/refresh'));
  if (refreshed.status === 404) {
    await api.call('put', pathOf(zone, '/primaries'), { primaries: [place] }).expect(200);
  }
  await waitFor(async () => {
    const response = await api.call('get', pathOf(zone, '/primaries'));
    return (response.body as { serial: number }).serial === serial;
  });
  return (await readDomain(api, zone.id)).serial;
}

async function promote(zone: DomainBody): Promise<void> {
  await api.call('delete', pathOf(zone, '/primaries')).expect(200);
}

async function typesOf(zone: DomainBody): Promise<string[]> {
  const response = await api.call('get', pathOf(zone, '/records?all_types=true')).expect(200);
  return (response.body as { records: { type: string }[] }).records.map(({ type }) => type).sort();
}

async function restore(zone: DomainBody, serial: number) {
  const response = await api.call('post', pathOf(zone, '/restore'), { serial, confirm: true });
  return [response.status, (response.body as { errors?: { path: string }[] }).errors?.[0]?.path];
}

/** Returns a record of a type that users do not write. */
function raw(
  zone: DomainBody,
  type: keyof typeof RR_TYPE,
  octets: readonly number[],
): MessageRecord {
  return {
    name: nameToWire(zone.name),
    type: RR_TYPE[type],
    class: RR_CLASS.IN,
    ttl: 300,
    rdata: Uint8Array.from(octets),
  };
}

const address = (zone: DomainBody, label = 'www') =>
  record(`${label}.${zone.name}`, 'A', '192.0.2.1');

describe('a secondary domain whose primaries are deleted', () => {
  it('keeps no records that only a signed primary writes', async () => {
    const zone = await createDomain(api);
    const generic = [
      raw(zone, 'NSEC3PARAM', [1, 0, 0, 0, 0]),
      raw(zone, 'DNSKEY', [1, 1, 3, 13, 0, 0, 0]),
      raw(zone, 'CDS', [0, 1, 13, 2, ...Buffer.alloc(32, 7)]),
    ];
    await take(zone, 7, [address(zone), ...generic]);
    expect(await typesOf(zone)).toEqual(['A', 'CDS', 'DNSKEY', 'NS', 'NSEC3PARAM', 'SOA']);
    await promote(zone);
    expect(await typesOf(zone)).toEqual(['A']);
    const response = await api.call('get', pathOf(zone, '/changes?limit=20')).expect(200);
    const { changes } = response.body as {
      changes: { action: string; before: { type?: string } | null }[];
    };
    const deleted = changes.filter(({ action }) => action === 'record-delete');
    expect(deleted.map(({ before }) => before?.type).sort()).toEqual([
      ...['CDS', 'DNSKEY', 'NS', 'NSEC3PARAM', 'SOA'],
    ]);
  });

  it('can be edited and deleted, whatever records have stayed', async () => {
    const zone = await createDomain(api);
    const at = (label: string) => `${label}.${zone.name}`;
    const octets = (label: string, type: number, rdata: readonly number[]): MessageRecord => ({
      ...raw(zone, 'NSEC3PARAM', rdata),
      ...{ name: nameToWire(at(label)), type },
    });
    await take(zone, 7, [
      record(at('old'), 'DNAME', 'example.net.'),
      record(at('old'), 'NS', 'ns.example.net.'),
      record(at('www.old'), 'A', '192.0.2.1'),
      record(at('deeper.old'), 'DNAME', 'example.org.'),
      record(at('sub.old'), 'NS', 'ns.example.net.'),
      record(at('*'), 'DNAME', 'example.net.'),
      record(at('cut'), 'NS', 'ns.example.net.'),
      record(at('below.cut'), 'TXT', '"hidden"'),
      record(at('alias'), 'CNAME', 'www.example.net.'),
      octets('alias', 25, [1, 0, 3, 13, 7]),
      octets('generic', 65_280, [1, 2, 3]),
      record(at('odd\\000\\."\\255'), 'A', '192.0.2.1'),
      record(at('alone'), 'DS', `1 13 2 ${'0a'.repeat(32)}`),
      record(zone.name, 'DNAME', 'example.net.'),
    ]);
    await promote(zone);
    const list = async () => {
      const path = pathOf(zone, '/records?all_types=true');
      const response = await api.call('get', path).expect(200);
      return (response.body as { records: { id: string; type: string; name: string }[] }).records;
    };
    const stayed = await list();
    expect(stayed).toHaveLength(14);
    const refused: string[] = [];
    const note = ({ status, body }: { status: number; body: unknown }, what: string) => {
      if (status !== 200) refused.push(`${what}: ${JSON.stringify(body)}`);
    };
    for (const { id, type, name } of stayed) {
      const path = pathOf(zone, `/records/${id}?all_types=true`);
      note(await api.call('put', path, { ttl: 77, description: 'ours' }), `put ${name} ${type}`);
    }
    for (const { id, type, name } of stayed) {
      const path = pathOf(zone, `/records/${id}?all_types=true`);
      note(await api.call('delete', path), `delete ${name} ${type}`);
    }
    expect(refused).toEqual([]);
    expect(await list()).toEqual([]);
  });

  it('does not restore an SOA from a serial of its primaries, and restores everything from its own', async () => {
    const zone = await createDomain(api);
    const first = await take(zone, 7, [address(zone)]);
    await take(zone, 8, [address(zone)]);
    await promote(zone);
    const { serial } = await readDomain(api, zone.id);
    await createRecord(api, zone.id, { name: `a.${zone.name}`, type: 'A', data: '192.0.2.1' });
    expect(await restore(zone, first)).toEqual([400, 'type']);
    expect(await restore(zone, serial)).toEqual([200, undefined]);
    expect(await typesOf(zone)).toEqual(['A']);
  });

  it('cannot be restored across a transfer that is not in the history', async () => {
    const zone = await createDomain(api);
    const first = await take(zone, 7, [address(zone)]);
    const many = Array.from({ length: MAX_JOURNALED + 1 }, (_, at) => address(zone, `a${at}`));
    await take(zone, 8, many);
    await promote(zone);
    expect(await restore(zone, first)).toEqual([400, 'serial']);
    await expect(api.call('get', pathOf(zone, '/changes?limit=2'))).resolves.toMatchObject({
      body: { changes: [{ action: 'record-delete' }, { action: 'record-delete' }] },
    });
  });

  it('has nothing to revert in a step that changed only its primaries', async () => {
    const zone = await createDomain(api);
    await api.call('put', pathOf(zone, '/primaries'), { primaries: [place] }).expect(200);
    const { serial } = await readDomain(api, zone.id);
    await promote(zone);
    const reverted = await api.call('post', pathOf(zone, `/changes/${serial}/revert`)).expect(400);
    expect(reverted.body).toMatchObject({ errors: [{ validator: 'revertible' }] });
  });
});
