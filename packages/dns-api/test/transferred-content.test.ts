import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type MessageRecord, nameToWire, RR_CLASS } from '@zonewright/dns-records';
import { waitFor } from '@zonewright/testkit';
import { createDomain, type DomainBody } from './support/fixtures.js';
import { record, ScriptedPrimary, soa } from './support/scripted-primary.js';
import { useApi } from './support/use-api.js';

/* Rows of docs/reference/transferred-zones.md. How such zones are answered: nameserver/test/transferred-zones. */

const api = useApi({
  env: { DNS_API_PRIVATE_PRIMARIES: 'true', DNS_API_MAX_DOMAINS: '1000' },
});
const primary = new ScriptedPrimary();
let place = { address: '', port: 0 };

beforeAll(async () => {
  place = await primary.start();
});
afterAll(() => {
  primary.stop();
});

interface State {
  readonly serial: number | null;
  readonly problem: string | null;
}

interface Shown {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly data: string;
  readonly ttl: number;
}

const pathOf = ({ id }: DomainBody) => `/v1/domains/${id}/primaries`;

/** A domain whose primary has these records, and what became of it. */
async function follow(
  contentOf: (zone: string) => readonly MessageRecord[],
): Promise<{ zone: DomainBody; state: State }> {
  const zone = await createDomain(api);
  const { name } = zone;
  const content = [record(name, 'NS', 'ns.elsewhere.example.'), ...contentOf(name)];
  primary.script = (type) =>
    type === 'SOA' ? [[soa(name, 7)]] : [[soa(name, 7), ...content, soa(name, 7)]];
  await api.call('put', pathOf(zone), { primaries: [place] }).expect(200);
  let state: State | undefined;
  await waitFor(async () => {
    state = (await api.call('get', pathOf(zone)).expect(200)).body as State;
    return state.serial !== null || state.problem !== null;
  });
  return { zone, state: state! };
}

async function listRecords({ id }: DomainBody): Promise<readonly Shown[]> {
  const path = `/v1/domains/${id}/records?all_types=true`;
  return ((await api.call('get', path).expect(200)).body as { records: Shown[] }).records;
}

const named = (name: string, type: number, rdata: string, ttl = 300): MessageRecord => {
  return {
    name: nameToWire(name),
    type,
    class: RR_CLASS.IN,
    ttl,
    rdata: Buffer.from(rdata, 'hex'),
  };
};
const A = 'c0000201';

/** Each with the lines that are expected of it, without the zone's name. */
const SERVED: [what: string, (zone: string) => MessageRecord[], string[]][] = [
  [
    'an unknown type',
    (zone) => [named(`x.${zone}`, 65300, '0a0b')],
    ['x. 300 TYPE65300 \\# 2 0a0b'],
  ],
  [
    'ZONEMD',
    (zone) => [named(zone, 63, '0000000701010203')],
    [' 300 TYPE63 \\# 8 0000000701010203'],
  ],
  [
    'CSYNC',
    (zone) => [named(zone, 62, '0000000700030001')],
    [' 300 TYPE62 \\# 8 0000000700030001'],
  ],
  ['DELEG', (zone) => [named(`d.${zone}`, 61440, '000100')], ['d. 300 TYPE61440 \\# 3 000100']],
  ['KEY', (zone) => [named(`k.${zone}`, 25, '0200030d00')], ['k. 300 TYPE25 \\# 5 0200030d00']],
  [
    'KEY beside a CNAME (RFC 2535 s2.3.5)',
    (zone) => [record(`k.${zone}`, 'CNAME', 'x.example.'), named(`k.${zone}`, 25, '0200030d00')],
    ['k. 300 CNAME x.example.', 'k. 300 TYPE25 \\# 5 0200030d00'],
  ],
  [
    'DNAME',
    (zone) => [named(`d.${zone}`, 39, '0178076578616d706c6500')],
    ['d. 300 DNAME x.example.'],
  ],
  [
    'names below a cut and below a DNAME',
    (zone) => [
      record(`cut.${zone}`, 'NS', 'ns.elsewhere.example.'),
      named(`www.cut.${zone}`, 1, A),
      named(`d.${zone}`, 39, '00'),
      named(`www.d.${zone}`, 1, A),
    ],
    [
      'cut. 300 NS ns.elsewhere.example.',
      'd. 300 DNAME .',
      'www.cut. 300 A 192.0.2.1',
      'www.d. 300 A 192.0.2.1',
    ],
  ],
  [
    'NS at a wildcard',
    (zone) => [record(`*.${zone}`, 'NS', 'ns.elsewhere.example.')],
    ['*. 300 NS ns.elsewhere.example.'],
  ],
  [
    'several TTLs in an RRset',
    (zone) => [named(`x.${zone}`, 1, A, 60), named(`x.${zone}`, 1, 'c0000202', 90)],
    ['x. 60 A 192.0.2.1', 'x. 90 A 192.0.2.2'],
  ],
  [
    'a TTL with the high bit (RFC 2181 s8)',
    (zone) => [named(`x.${zone}`, 1, A, 0x8000_0001)],
    ['x. 0 A 192.0.2.1'],
  ],
  [
    'a record twice',
    (zone) => [named(`x.${zone}`, 1, A), named(`X.${zone}`, 1, A)],
    ['x. 300 A 192.0.2.1'],
  ],
  [
    'names with odd octets',
    (zone) => [
      named(`\\000\\255.${zone}`, 1, A),
      named(`a\\.b.${zone}`, 1, A),
      named(`"\\032;.${zone}`, 1, A),
    ],
    ['\\"\\032\\;. 300 A 192.0.2.1', '\\000\\255. 300 A 192.0.2.1', 'a\\.b. 300 A 192.0.2.1'],
  ],
  [
    'names that users may not write',
    (zone) => [
      named(`-a_--b-.${zone}`, 1, A),
      named(`x.*.${zone}`, 1, A),
      named(`${'l'.repeat(63)}.${zone}`, 1, A),
    ],
    ['-a_--b-. 300 A 192.0.2.1', `${'l'.repeat(63)}. 300 A 192.0.2.1`, 'x.*. 300 A 192.0.2.1'],
  ],
  [
    'empty rdata of an unknown type',
    (zone) => [named(`x.${zone}`, 65300, '')],
    ['x. 300 TYPE65300 \\# 0'],
  ],
  [
    'a long record',
    (zone) => [named(`x.${zone}`, 65300, 'ab'.repeat(60_000))],
    [`x. 300 TYPE65300 \\# 60000 ${'ab'.repeat(60_000)}`],
  ],
];

const REFUSED: [what: string, (zone: string) => MessageRecord[], RegExp][] = [
  ['another SOA of the zone', (zone) => [soa(zone, 8)], /version changes/],
  ['an SOA at another name', (zone) => [soa(`x.${zone}`, 7)], /SOA that is not the zone/],
  ['another class', (zone) => [{ ...named(`x.${zone}`, 1, A), class: RR_CLASS.CH }], /class 3/],
  ['a type of questions', (zone) => [named(`x.${zone}`, 255, '')], /type ANY/],
  ['a type of messages', (zone) => [named(`x.${zone}`, 41, '')], /type OPT/],
  ['type 0', (zone) => [named(`x.${zone}`, 0, '')], /type TYPE0/],
  ['a name outside the zone', () => [named('x.other.example.', 1, A)], /outside the zone/],
  ['rdata of another length', (zone) => [named(`x.${zone}`, 1, 'c00002')], /rdata/],
  [
    'two CNAME',
    (zone) => ['a', 'b'].map((to) => record(`x.${zone}`, 'CNAME', `${to}.example.`)),
    /CNAME beside/,
  ],
  [
    'a DNAME beside a CNAME',
    (zone) => [record(`x.${zone}`, 'CNAME', 'a.example.'), named(`x.${zone}`, 39, '00')],
    /CNAME beside/,
  ],
  [
    'two DNAME',
    (zone) => [named(`x.${zone}`, 39, '00'), named(`x.${zone}`, 39, '017800')],
    /several DNAME/,
  ],
  ['NSEC3 with 101 iterations', (zone) => [named(zone, 51, '0100006500')], /101 iterations/],
];

describe('What a transfer brings', () => {
  it.each(SERVED)(
    'is taken as it is: %s; and is the owner’s after promotion',
    async (_what, contentOf, lines) => {
      const { zone, state } = await follow(contentOf);
      expect(state).toMatchObject({ serial: 7, problem: null });
      const show = ({ name, ttl, type, data }: Shown) =>
        `${name.slice(0, name.length - zone.name.length)} ${ttl} ${type} ${data}`;
      const records = await listRecords(zone);
      const own = records.filter(
        ({ name, type }) => name !== zone.name || (type !== 'SOA' && type !== 'NS'),
      );
      expect(own.map(show).sort()).toEqual([...lines].sort());
      await api.call('delete', pathOf(zone)).expect(200);
      for (const { id } of await listRecords(zone)) {
        const { status, text } = await api.call(
          'delete',
          `/v1/domains/${zone.id}/records/${id}?all_types=true`,
        );
        expect([status < 300, text]).toEqual([true, '']);
      }
    },
  );

  it.each(REFUSED)(
    'is refused as a whole, with a problem: %s',
    async (_what, contentOf, problem) => {
      const { state } = await follow(contentOf);
      expect(state).toMatchObject({ serial: null, problem: expect.stringMatching(problem) });
    },
  );
});
