import { describe, expect, it } from '@jest/globals';
import {
  type MessageRecord,
  nameToWire,
  rdataToWire,
  RR_CLASS,
  RR_TYPE,
} from '@zonewright/dns-records';
import { EXAMPLE, record } from '../checks/test-values.js';
import type { ZoneRecord } from '../rows/record.js';
import type { PlanState } from '../write/change-alone.js';
import { ZoneView } from '../write/zone-view.js';
import { changeOfUpdate } from './take-update.js';

const APEX = {
  servers: ['ns1.example.net.', 'ns2.example.net.'],
  soa: {
    ...{ refreshSeconds: 3_600, retrySeconds: 900, expireSeconds: 1_209_600 },
    minimumSeconds: 300,
  },
};

const ZONE = EXAMPLE.name;
const WWW = `www.${ZONE}`;
type Type = keyof typeof RR_TYPE;

function part(name: string, type: Type, members: Partial<MessageRecord>): MessageRecord {
  const wire = { name: nameToWire(name), type: RR_TYPE[type], class: RR_CLASS.IN, ttl: 0 };
  return { ...wire, rdata: new Uint8Array(), ...members };
}

const add = (name: string, type: Type, data: string, ttl = 3_600) =>
  part(name, type, { ttl, rdata: rdataToWire(type, data, null) });
const remove = (name: string, type: Type, data: string) =>
  part(name, type, { class: RR_CLASS.NONE, rdata: rdataToWire(type, data, null) });
const removeSet = (name: string, type: Type) => part(name, type, { class: RR_CLASS.ANY });
const removeName = (name: string) => removeSet(name, 'ANY');

/** Returns the changes that an update makes to these records, as `- before` and `+ after`. */
async function update(
  steps: readonly MessageRecord[],
  records: readonly ZoneRecord[] = [],
): Promise<string[]> {
  const change = changeOfUpdate({ answers: [], authorities: steps }, ZONE);
  const view = new ZoneView(EXAMPLE, records, APEX);
  // No data is read of an unsigned zone.
  const work = {} as PlanState['work'];
  const state: PlanState = {
    zone: EXAMPLE,
    work,
    find: () => undefined,
    recordset: undefined,
    view: () => view,
  };
  return (await change.plan(state)).changes.flatMap(({ before, after }) => [
    ...(before === undefined ? [] : [`- ${textOf(before)}`]),
    ...(after === undefined ? [] : [`+ ${textOf(after)}`]),
  ]);
}

function textOf({ name, ttl, type, data }: ZoneRecord): string {
  return `${name.slice(0, -ZONE.length - 1) || '@'} ${ttl ?? '-'} ${type} ${data}`;
}

const PARTNER = record(`${ZONE} NS ns.partner.example.`);
const A1 = record(`${WWW} A 192.0.2.1`);
const A2 = record(`${WWW} A 192.0.2.2`);
const TEXT = record(`${WWW} TXT "x"`);

describe('what the service provides at the apex', () => {
  it.each(APEX.servers)('an update that deletes the NS %s is refused', async (server) => {
    await expect(update([remove(ZONE, 'NS', server)], [PARTNER])).rejects.toMatchObject({
      kind: 'invalid',
      message: `The service provides "${ZONE}" NS itself; an update cannot change it.`,
    });
  });

  it("a user's NS can be deleted", async () => {
    const steps = [remove(ZONE, 'NS', 'ns.partner.example.')];
    expect(await update(steps, [PARTNER])).toEqual(['- @ - NS ns.partner.example.']);
  });

  it('the same NS below the apex is an ordinary record', async () => {
    const below = record(`${WWW} NS ns1.example.net.`);
    expect(await update([remove(WWW, 'NS', 'ns1.example.net.')], [below])).toEqual([
      '- www - NS ns1.example.net.',
    ]);
  });

  it('RFC 2136 s3.4.2.3: deletions of all NS, of SOA and of the name have no effect on it', async () => {
    const text = record(`${ZONE} TXT "x"`);
    const there = [PARTNER, text];
    expect(await update([removeSet(ZONE, 'NS'), removeSet(ZONE, 'SOA')], there)).toEqual([]);
    expect(await update([removeName(ZONE)], there)).toEqual(['- @ - TXT "x"']);
    const soa = 'ns1.example.net. admin.example.com. 1 3600 900 1209600 300';
    expect(await update([remove(ZONE, 'SOA', soa)], there)).toEqual([]);
  });

  it('adding an existing NS has no effect', async () => {
    expect(await update([add(ZONE, 'NS', 'ns1.example.net.', 60)], [PARTNER])).toEqual([]);
  });

  it('another SOA is refused, and one below the apex is ignored', async () => {
    const soa = 'ns1.example.net. admin.example.com. 9 1 1 1 1';
    await expect(update([add(ZONE, 'SOA', soa)])).rejects.toMatchObject({ kind: 'invalid' });
    expect(await update([add(WWW, 'SOA', soa)])).toEqual([]);
    const ours = 'ns1.example.net. admin.example.com. 1 3600 900 1209600 300';
    expect(await update([add(ZONE, 'SOA', ours)])).toEqual([]);
  });
});

describe('RFC 2136 s3.4.2: steps', () => {
  it('remove a record, a type or a name', async () => {
    const there = [A1, A2, TEXT];
    expect(await update([remove(WWW, 'A', '192.0.2.1')], there)).toEqual(['- www - A 192.0.2.1']);
    expect(await update([removeSet(WWW, 'A')], there)).toEqual([
      '- www - A 192.0.2.1',
      '- www - A 192.0.2.2',
    ]);
    expect(await update([removeName(WWW)], there)).toHaveLength(3);
    expect(await update([remove(WWW, 'TXT', '"y"'), removeName(`x.${ZONE}`)], there)).toEqual([]);
  });

  it('are applied in order, and steps without effect are not changes', async () => {
    expect(await update([removeName(WWW), add(WWW, 'A', '192.0.2.3')], [A1])).toEqual([
      '- www - A 192.0.2.1',
      '+ www 3600 A 192.0.2.3',
    ]);
    const steps = [add(WWW, 'A', '192.0.2.3'), remove(WWW, 'A', '192.0.2.3')];
    expect(await update(steps, [A1])).toEqual([]);
    expect(await update([add(WWW, 'A', '192.0.2.1')], [A1])).toEqual([]);
  });

  it('RFC 2181 s5.2: the records of a name and type have the TTL of the last', async () => {
    expect(await update([add(WWW, 'A', '192.0.2.3', 60)], [A1, TEXT])).toEqual([
      '- www - A 192.0.2.1',
      '+ www 60 A 192.0.2.1',
      '+ www 60 A 192.0.2.3',
    ]);
  });

  it('a CNAME replaces another; it is ignored beside other types, and they beside it', async () => {
    const alias = record(`${WWW} CNAME a.example.net.`);
    expect(await update([add(WWW, 'CNAME', 'b.example.net.')], [alias])).toEqual([
      '- www - CNAME a.example.net.',
      '+ www 3600 CNAME b.example.net.',
    ]);
    expect(await update([add(WWW, 'CNAME', 'b.example.net.')], [A1])).toEqual([]);
    expect(await update([add(WWW, 'A', '192.0.2.9')], [alias])).toEqual([]);
    expect(await update([add(ZONE, 'CNAME', 'b.example.net.')])).toEqual([]);
  });

  it('a DNAME replaces another, and is allowed beside other types', async () => {
    const old = record(`${WWW} DNAME a.example.net.`);
    expect(await update([add(WWW, 'DNAME', 'b.example.net.')], [old, A1])).toEqual([
      '- www - DNAME a.example.net.',
      '+ www 3600 DNAME b.example.net.',
    ]);
  });

  it('rdata of another type gives FORMERR', async () => {
    const wrong = part(WWW, 'A', { ttl: 60, rdata: Uint8Array.of(1) });
    await expect(update([wrong])).rejects.toThrow('FORMERR');
  });

  it('names outside of the zone give NOTZONE, and at most 1,000 steps are accepted', async () => {
    await expect(update([add('www.example.net.', 'A', '192.0.2.1')])).rejects.toThrow('NOTZONE');
    const many = (count: number) =>
      Array.from({ length: count }, () => remove(WWW, 'A', '192.0.2.1'));
    expect(await update(many(1_000), [A1])).toHaveLength(1);
    await expect(update(many(1_001), [A1])).rejects.toMatchObject({ kind: 'invalid' });
  });

  it('reads the names of the zone in all parts', () => {
    const steps = [add(WWW, 'A', '192.0.2.1'), add('www.example.net.', 'A', '192.0.2.1')];
    const change = changeOfUpdate({ answers: [removeName(ZONE)], authorities: steps }, ZONE);
    expect(change.names).toEqual([ZONE, WWW]);
  });
});
