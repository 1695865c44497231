import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type MessageRecord, nameToWire, RR_CLASS } from '@zonewright/dns-records';
import { waitFor } from '@zonewright/testkit';
import { readFileSync } from 'node:fs';
import { withTokens } from './support/fake-tokens.js';
import { createDomain, type DomainBody } from './support/fixtures.js';
import { report } from './support/nameserver-reports.js';
import { record, ScriptedPrimary, soa } from './support/scripted-primary.js';
import { useApi } from './support/use-api.js';

/*
 * Tests the rows of docs/reference/transferred-zones.md. e2e/test/transferred-zones compares them with
 * NSD and Knot.
 */

const MAX_RECORDS = 50;
const MAX_OCTETS = 65_536;
const restricted = {
  userId: 'user-a',
  tenantId: 'tenant-a',
  roles: ['member'],
  key: {
    id: 'key-1',
    rules: [{ zone: '*', name: '*', types: ['*'], actions: ['read' as const] }],
    networks: [],
    massDelete: false,
  },
};
const api = useApi({
  env: {
    DNS_API_PRIVATE_PRIMARIES: 'true',
    DNS_API_MAX_DOMAINS: '1000',
    DNS_API_MAX_DOMAIN_RECORDS: String(MAX_RECORDS),
    DNS_API_MAX_TRANSFER_BYTES: String(MAX_OCTETS),
  },
  overrides: { tokens: withTokens({ 'token-key': restricted }) },
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
  readonly failures: number;
  readonly problem: string | null;
  readonly reason: string | null;
  readonly action: string | null;
}

interface Shown {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly data: string;
  readonly ttl: number;
}

const pathOf = ({ id }: DomainBody) => `/v1/domains/${id}/primaries`;

type ContentOf = (zone: string) => readonly MessageRecord[];

const withNs = ({ name }: DomainBody, contentOf: ContentOf) => [
  record(name, 'NS', 'ns.elsewhere.example.'),
  ...contentOf(name),
];

function say({ name }: DomainBody, serial: number, content: readonly MessageRecord[]): void {
  const own = soa(name, serial);
  primary.script = (type) => (type === 'SOA' ? [[own]] : [[own, ...content, own]]);
}

/** Creates a domain whose primary has these records, and returns the result. */
async function follow(
  contentOf: ContentOf,
  isWithNs = true,
): Promise<{ zone: DomainBody; state: State }> {
  const zone = await createDomain(api);
  say(zone, 7, isWithNs ? withNs(zone, contentOf) : contentOf(zone.name));
  await api.call('put', pathOf(zone), { primaries: [place] }).expect(200);
  let state: State | undefined;
  await waitFor(async () => {
    state = (await api.call('get', pathOf(zone)).expect(200)).body as State;
    return state.serial !== null || state.problem !== null;
  });
  return { zone, state: state! };
}

async function stateOf(zone: DomainBody): Promise<State & { readonly state: string }> {
  return (await api.call('get', pathOf(zone)).expect(200)).body as State & { state: string };
}

/** Requests a refresh and returns its result. */
async function refresh(zone: DomainBody) {
  const { failures } = await stateOf(zone);
  await api.call('post', `${pathOf(zone)}/refresh`).expect(200);
  await waitFor(async () => (await stateOf(zone)).failures > failures);
  return await stateOf(zone);
}

async function serialOf({ id }: DomainBody): Promise<number> {
  const response = await api.call('get', `/v1/domains/${id}`).expect(200);
  return (response.body as DomainBody).serial;
}

async function publicationOf(zone: DomainBody): Promise<object> {
  const path = `/v1/domains/${zone.id}/changes/${await serialOf(zone)}`;
  return (await api.call('get', path).expect(200)).body as object;
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

/** Cases with the expected lines, without the zone's name. */
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
    'names with unusual octets',
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

type Refused = [what: string, contentOf: ContentOf, reason: string, problem: RegExp];

const REFUSED: Refused[] = [
  ['another SOA of the zone', (zone) => [soa(zone, 8)], 'soa', /serial changes/],
  ['the SOA twice', (zone) => [soa(zone, 7), named(`x.${zone}`, 1, A)], 'soa', /follow the final/],
  ['an SOA at another name', (zone) => [soa(`x.${zone}`, 7)], 'soa', /SOA record of another zone/],
  [
    'another class',
    (zone) => [{ ...named(`x.${zone}`, 1, A), class: RR_CLASS.CH }],
    'class-or-type',
    /class 3/,
  ],
  ['a type of questions', (zone) => [named(`x.${zone}`, 255, '')], 'class-or-type', /type ANY/],
  ['a type of messages', (zone) => [named(`x.${zone}`, 41, '')], 'class-or-type', /type OPT/],
  ['type 0', (zone) => [named(`x.${zone}`, 0, '')], 'class-or-type', /type TYPE0/],
  [
    'a name outside of the zone',
    () => [named('x.other.example.', 1, A)],
    'outside-zone',
    /outside the zone/,
  ],
  [
    'NS at a wildcard',
    (zone) => [record(`*.${zone}`, 'NS', 'ns.elsewhere.example.')],
    'wildcard-ns',
    /is a wildcard/,
  ],
  ['rdata of another length', (zone) => [named(`x.${zone}`, 1, 'c00002')], 'rdata', /rdata/],
  [
    'two CNAME',
    (zone) => ['a', 'b'].map((to) => record(`x.${zone}`, 'CNAME', `${to}.example.`)),
    'cname',
    /CNAME record and other/,
  ],
  [
    'a DNAME beside a CNAME',
    (zone) => [record(`x.${zone}`, 'CNAME', 'a.example.'), named(`x.${zone}`, 39, '00')],
    'cname',
    /CNAME record and other/,
  ],
  [
    'two DNAME',
    (zone) => [named(`x.${zone}`, 39, '00'), named(`x.${zone}`, 39, '017800')],
    'dname',
    /several DNAME/,
  ],
  [
    'NSEC3 with 101 iterations',
    (zone) => [named(zone, 51, '0100006500')],
    'nsec3-iterations',
    /101 iterations/,
  ],
  [
    'NSEC3 with another hash than SHA-1',
    (zone) => [named(zone, 51, '0200000000')],
    'nsec3-algorithm',
    /hash algorithm 2/,
  ],
  [
    'more records than the quota',
    (zone) => Array.from({ length: MAX_RECORDS }, (_, at) => named(`x${at}.${zone}`, 1, A)),
    'too-large',
    /more than 50 records|has 51 records/,
  ],
  [
    'more octets than a transfer may have',
    (zone) =>
      Array.from({ length: 40 }, (_, at) => named(`x${at}.${zone}`, 65300, 'ab'.repeat(3_000))),
    'too-large',
    /more than 65536 octets/,
  ],
];

/** The lines of docs/reference/errors.md, each with a reason and its messages. */
const EXPLAINED = readFileSync(
  new URL('../../../docs/reference/errors.md', import.meta.url),
  'utf8',
)
  .split('### Transfers to here')[1]!
  .split('\n')
  .map((line) => [...line.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text));

describe('The content of a transfer', () => {
  it.each(SERVED)(
    'is stored unchanged: %s; and belongs to the owner after promotion',
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
    async (_what, contentOf, reason, problem) => {
      const { state } = await follow(contentOf);
      expectRefused(state, reason, problem);
    },
  );

  it('is refused as a whole, with a problem: a zone without NS', async () => {
    const { state } = await follow((zone) => [named(`x.${zone}`, 1, A)], false);
    expectRefused(state, 'ns', /no NS records/);
  });

  it.each([
    ['NSEC3', (zone: string) => [named(zone, 51, '0100000000')]],
    ['a DNAME', (zone: string) => [named(`d.${zone}`, 39, '00')]],
  ])('is refused while a nameserver of an earlier version is live: %s', async (_, contentOf) => {
    const { zone, state } = await follow(() => []);
    expect(state).toMatchObject({ serial: 7, problem: null });
    // The nameserver does not report its features.
    await report(api.db, 1);
    say(zone, 8, withNs(zone, contentOf));
    const later = await refresh(zone);
    await api.db.raw('delete from dns.nameserver_status');
    expect(later).toMatchObject({ serial: 7, reason: 'old-nameservers' });
    expect(later.problem).toContain('these older nameservers');
  });

  it('RFC 9276 s3.2: a zone that changes to 101 iterations keeps its content; check, publication and primaries give the reason', async () => {
    const rrsigs = (name: string) => [
      named(name, 46, `00020d01${'0'.repeat(28)}00aa`, 300),
      named(name, 46, `00060d01${'0'.repeat(28)}00bb`, 600),
    ];
    const at = (iterations: string) => (name: string) => [
      named(name, 51, `010000${iterations}00`),
      ...rrsigs(name),
    ];
    const { zone } = await follow(at('0a'));
    say(zone, 8, withNs(zone, at('65')));
    const state = await refresh(zone);
    expect(state).toMatchObject({ state: 'answered', serial: 7, reason: 'nsec3-iterations' });
    const shown = {
      content: 'stale',
      reason: 'nsec3-iterations',
      problem: state.problem,
      action: expect.stringContaining('0 iterations'),
    };
    expect(await publicationOf(zone)).toMatchObject({ primaries: shown });
    const check = await api.call('get', `/v1/domains/${zone.id}/check`).expect(200);
    // NS records have the TTL of the primary, and each RRSIG that of the RRset that it covers.
    expect(JSON.stringify(check.body)).not.toContain('mixed-ttl');
    expect(check.body).toMatchObject({
      state: 'warning',
      primaries: shown,
      findings: expect.arrayContaining([
        {
          severity: 'warning',
          code: 'primary-refused',
          message: expect.stringMatching(/refuses the version .* is published: .*101/),
          action: state.action,
        },
      ]),
    });
    // A key that may only read records must not see the addresses of primaries.
    const restricted = await api
      .callAs('token-key', 'get', `/v1/domains/${zone.id}/changes/${await serialOf(zone)}`)
      .expect(200);
    expect(restricted.body).toMatchObject({ primaries: { ...shown, problem: null } });
    say(zone, 9, withNs(zone, at('00')));
    await api.call('post', `${pathOf(zone)}/refresh`).expect(200);
    await waitFor(async () => (await stateOf(zone)).serial === 9);
    expect(await publicationOf(zone)).toMatchObject({
      primaries: { content: 'latest', reason: null, problem: null, action: null },
    });
  });

  it('check and publication distinguish a zone that expired and one that never arrived from a stale one', async () => {
    const { zone } = await follow(() => []);
    primary.script = () => (socket) => socket.destroy();
    expect(await refresh(zone)).toMatchObject({ reason: 'unreachable', state: 'answered' });
    const stale = { content: 'stale', reason: 'unreachable' };
    expect(await publicationOf(zone)).toMatchObject({ primaries: stale });
    await api.db.raw(
      `update dns.secondaries set refreshed_at = now() - interval '1 hour', expire = 60, next_at = now() where domain_id = ?`,
      [zone.id],
    );
    await waitFor(async () => (await stateOf(zone)).state === 'withheld');
    expect(await publicationOf(zone)).toMatchObject({ primaries: { content: 'expired' } });
    const checked = await api.call('get', `/v1/domains/${zone.id}/check`).expect(200);
    expect(checked.body).toMatchObject({
      state: 'error',
      primaries: { content: 'expired', reason: 'unreachable' },
      findings: expect.arrayContaining([
        expect.objectContaining({
          code: 'primary-fails',
          message: expect.stringContaining('it has expired'),
          action: expect.stringContaining('Allow TCP'),
        }),
      ]),
    });
    const never = await createDomain(api);
    await api.call('put', pathOf(never), { primaries: [place] }).expect(200);
    await waitFor(async () => (await stateOf(never)).failures > 0);
    expect(await publicationOf(never)).toMatchObject({ primaries: { content: 'none' } });
    expect(await publicationOf(await createDomain(api))).toMatchObject({ primaries: null });
  });
});

function expectRefused(state: State, reason: string, problem: RegExp): void {
  expect(state).toMatchObject({
    serial: null,
    reason,
    problem: expect.stringMatching(problem),
    action: expect.stringMatching(/\w/),
  });
  const messages = EXPLAINED.find(([code]) => code === reason)?.slice(1) ?? [];
  expect(messages.filter((each) => state.problem?.includes(each))).not.toEqual([]);
}
