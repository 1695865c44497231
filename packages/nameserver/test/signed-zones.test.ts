import { afterAll, describe, expect, it } from '@jest/globals';
import { readMessage, RR_TYPE, wireToName } from '@zonewright/dns-records';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Message } from '../conformance/support/message.js';
import { signZone } from '../conformance/support/sign-zone.js';
import { signConformanceZones } from '../conformance/support/signed-zones.js';
import { parseZone } from '../conformance/support/zones.js';
import { compileZone } from '../src/compile/compile-zone.js';
import type { ZoneContent, ZoneRecord } from '../src/compile/zone-tree.js';
import { writeWholeZone } from '../src/transfer/write-transfer.js';
import { InProcessServer } from './support/in-process-server.js';
import { toZoneText } from './support/zone-text.js';

const EDNS = { isDnssecOk: true, payloadOctets: 1232 };
const ZONE = parseZone(
  's.test.',
  `$TTL 600
@ SOA ns.s.test. admin.s.test. 5 1 2 3 300
@ NS ns
ns A 192.0.2.1
ns AAAA 2001:db8::1
www A 192.0.2.2
sub NS ns.sub
ns.sub A 192.0.2.3
long TXT "${'x'.repeat(250)}" "${'y'.repeat(130)}"
*.wild A 192.0.2.4
`,
);
const signed = signZone(ZONE);
const server = new InProcessServer([signed]);
const ask = (question: string, transport: 'UDP' | 'TCP' = 'UDP', edns = EDNS): Message =>
  server.ask(transport, { question, edns });

/** Returns the owner and type of each record, for RRSIG also the covered type. */
function brief(lines: readonly string[]): string[] {
  return lines.map((line) => {
    const [owner = '', , , type = '', , , hex = ''] = line.split(' ');
    return `${owner} ${type}${type === 'RRSIG' ? ` ${parseInt(hex.slice(0, 4), 16)}` : ''}`;
  });
}

describe('A signed zone', () => {
  it('RFC 4035 s3.1: without DO its signatures are ordinary records, which can be queried by type', () => {
    const without = server.ask('UDP', { question: 'www.s.test. A', edns: {} });
    expect(brief(without.answers)).toEqual(['www.s.test. A']);
    const missing = server.ask('UDP', { question: 'zz.s.test. A' });
    expect(brief(missing.authorities)).toEqual(['s.test. SOA']);
    const nsec = server.ask('UDP', { question: 'www.s.test. NSEC' });
    expect(brief(nsec.answers)).toEqual(['www.s.test. NSEC']);
  });

  it('RFC 8482: ANY and RRSIG get one RRset over UDP, and all over TCP', () => {
    expect(brief(ask('ns.s.test. ANY').answers)).toEqual(['ns.s.test. A', 'ns.s.test. RRSIG 1']);
    expect(brief(ask('ns.s.test. RRSIG').answers)).toEqual(['ns.s.test. RRSIG 1']);
    expect(brief(ask('ns.s.test. RRSIG', 'TCP').answers)).toEqual([
      'ns.s.test. RRSIG 1',
      'ns.s.test. RRSIG 28',
      'ns.s.test. RRSIG 47',
    ]);
    expect(ask('ns.s.test. ANY', 'TCP').answers).toHaveLength(6);
  });

  it('RFC 4035 s3.1.1: required data whose signature does not fit is omitted, with TC', () => {
    const small = { isDnssecOk: true, payloadOctets: 512 };
    const answer = ask('long.s.test. TXT', 'UDP', small);
    expect([answer.flags, answer.answers]).toEqual(['aa tc', []]);
    expect(server.ask('UDP', { question: 'long.s.test. TXT' }).flags).toBe('aa');
    const denial = ask(`${'z'.repeat(60)}.${'z'.repeat(60)}.s.test. A`, 'UDP', small);
    expect([denial.flags, denial.octets.length <= 512]).toEqual(['aa tc', true]);
  });

  it('RFC 4035 s3.1.1: additional data is omitted with its signature, without TC', () => {
    const answer = ask('s.test. NS', 'UDP', { isDnssecOk: true, payloadOctets: 512 });
    expect([answer.flags, brief(answer.additionals)]).toEqual([
      'aa',
      ['ns.s.test. A', 'ns.s.test. RRSIG 1', 'ns.s.test. AAAA', 'ns.s.test. RRSIG 28'],
    ]);
    server.context.outputCapacity = 350;
    const less = ask('s.test. NS');
    server.context.outputCapacity = 65_535;
    expect([less.flags, brief(less.additionals)]).toEqual([
      'aa',
      ['ns.s.test. A', 'ns.s.test. RRSIG 1'],
    ]);
  });

  it('RFC 4034 s3: RRSIG has the TTL of the signed RRset, even if that is the negative TTL', () => {
    const ttls = ask('zz.s.test. A').authorities.map((line) => line.split(' ')[1]);
    expect(new Set(ttls)).toEqual(new Set(['300']));
  });

  it('RFC 8914 s4.8: reports that signatures have expired', () => {
    const old = new InProcessServer([signZone(ZONE, { validFor: -60 })]);
    old.context.clockSeconds = Math.floor(Date.now() / 1_000);
    const options = (edns: typeof EDNS | { isDnssecOk: false }) =>
      old.ask('UDP', { question: 'www.s.test. A', edns }).opt?.options;
    expect(options(EDNS)).toEqual([{ code: 15, data: Buffer.from([0, 7]) }]);
    expect(options({ isDnssecOk: false })).toEqual([]);
  });
});

const isRrsigOf = (type: number) => (record: ZoneRecord) =>
  record.type === RR_TYPE.RRSIG && Buffer.from(record.rdata).readUInt16BE(0) === type;
const isAt = (name: string, record: ZoneRecord) => wireToName(record.owner) === name;
const without = (drop: (record: ZoneRecord) => boolean): ZoneContent => ({
  ...signed,
  records: [...signed.records].filter((record) => !drop(record)),
});

describe('A version of a signed zone is refused', () => {
  it.each<[string, ZoneContent, string]>([
    [
      'without DNSKEY',
      without(({ type }) => type === RR_TYPE.DNSKEY),
      'which has no DNSKEY record',
    ],
    [
      'without a signature',
      without((record) => isAt('www.s.test.', record) && isRrsigOf(RR_TYPE.A)(record)),
      'www. has no RRSIG record of A',
    ],
    [
      'with a signature of a missing RRset',
      without((record) => isAt('www.s.test.', record) && record.type === RR_TYPE.A),
      'www. has an RRSIG record of A, which does not exist',
    ],
    [
      'without NSEC at a name',
      without(
        (record) =>
          isAt('www.s.test.', record) &&
          (record.type === RR_TYPE.NSEC || isRrsigOf(RR_TYPE.NSEC)(record)),
      ),
      'www. has no NSEC',
    ],
    [
      'with a name that is missing in the chain',
      without((record) => isAt('www.s.test.', record)),
      'does not point to the next name',
    ],
    ['under another serial', { ...signed, serial: 6 }, 'has the serial 5'],
    ['without signatures', { ...ZONE, isSigned: true }, 'no RRSIG'],
  ])('%s', (_what, content, words) => {
    expect(() => compileZone(content)).toThrow(words);
  });
});

describe('RFC 6781 s4.1.4: while its algorithm changes, a zone has signatures of a key that is not in DNSKEY', () => {
  const next = [...signZone(ZONE, { algorithm: 15 }).records];
  const signatures = next.filter(
    (record) => record.type === RR_TYPE.RRSIG && !isRrsigOf(RR_TYPE.DNSKEY)(record),
  );
  const keys = next.filter(({ type }) => type === RR_TYPE.DNSKEY);
  const signedBy = (records: readonly ZoneRecord[]): ZoneContent => ({
    ...signed,
    records: [...signed.records, ...records],
  });

  it('and of one that is', () => {
    expect(() => compileZone(signedBy(signatures))).not.toThrow();
    const ofDnskey = next.filter(isRrsigOf(RR_TYPE.DNSKEY));
    expect(() => compileZone(signedBy([...signatures, ...keys, ...ofDnskey]))).not.toThrow();
  });

  it('RFC 4035 s2.2: when the key is in DNSKEY, it has signed the whole zone', () => {
    const some = signatures.filter((record) => !isAt('www.s.test.', record));
    expect(() => compileZone(signedBy([...some, ...keys]))).toThrow(
      'with one of the algorithms in the DNSKEY records',
    );
  });
});

/** Returns the zone as it is transferred. */
function transfer(content: ZoneContent): string {
  const question = {
    ...{ id: 1, name: content.apex, type: RR_TYPE.AXFR },
    isRecursionDesired: false,
    hasEdns: false,
  };
  const messages = [...writeWholeZone(question, compileZone(content))].map((octets) =>
    readMessage(Buffer.concat([octets])),
  );
  const records = messages.flatMap(({ answers }) => answers).slice(0, -1);
  return toZoneText(records.map(({ name: owner, ...rest }) => ({ owner, ...rest })));
}

/** Debian's validns cannot be used, because it does not support keys of the algorithms 13 and 15. */
const VERIFIERS: readonly [string, string, (zone: string, file: string) => string[]][] = [
  ['dnssec-verify', 'bind9-utils', (zone, file) => ['-q', '-z', '-o', zone, file]],
  ['ldns-verify-zone', 'ldnsutils', (_, file) => ['-V1', file]],
  ['kzonecheck', 'knot-dnssecutils', (zone, file) => ['-o', zone, file]],
];

describe.each(VERIFIERS)('%s', (program, package_, args) => {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-verify-'));
  const isThere = spawnSync(program, ['-h']).error === undefined;
  if (!isThere)
    process.stderr.write(`SKIPPED (no ${program}; Debian's package ${package_} has it)\n`);
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  (isThere ? it : it.skip)(
    'finds nothing wrong with the transfer of any signed zone',
    () => {
      for (const content of signConformanceZones()) {
        if (content.isSigned !== true) continue;
        const file = join(folder, 'zone');
        writeFileSync(file, transfer(content));
        const { status, stdout, stderr } = spawnSync(
          program,
          args(wireToName(content.apex), file),
          {
            encoding: 'utf8',
          },
        );
        expect([wireToName(content.apex), status, status === 0 ? '' : stdout + stderr]).toEqual([
          wireToName(content.apex),
          0,
          '',
        ]);
      }
    },
    60_000,
  );
});
