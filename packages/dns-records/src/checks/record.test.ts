import { describe, expect, it } from '@jest/globals';
import type { Problem } from '../values/problem.js';
import { checkRecord, type RecordMembers } from './record.js';

const ZONE = 'example.com.';
const A = { name: 'www.example.com.', type: 'A', data: '192.0.2.1' };
const MX = { name: ZONE, type: 'MX', data: 'mail.example.com.', priority: 10 };
const SRV = { name: '_sip._tcp.example.com.', type: 'SRV', data: '0 5060 a.b.', priority: 0 };

function findings(record: RecordMembers): string[] {
  return checkRecord(record, ZONE, 'basic').map(({ path, validator }) => `${path} ${validator}`);
}

function onlyProblem(record: RecordMembers): Problem {
  const problems = checkRecord(record, ZONE, 'basic');
  expect(problems).toHaveLength(1);
  return problems[0]!;
}

describe('checkRecord', () => {
  it('D-REC: reports all problems of a record at once', () => {
    const record = { name: 'www', type: 'A', data: 'x', ttl: -1, priority: 1, description: 5 };
    expect(findings(record)).toEqual([
      'name absolute',
      'ttl minimum',
      'description type',
      'data format',
      'priority disallowed',
    ]);
  });

  it('DNS API s7: name, type and data are required', () => {
    expect(findings({})).toEqual(['name required', 'type required', 'data required']);
  });

  it('D-REC: an unknown type does not hide other problems', () => {
    const record = { name: 'www', type: 'CAA', ttl: '1', priority: 'x' };
    expect(findings(record)).toEqual([
      'name absolute',
      'type enum',
      'ttl type',
      'data required',
      'priority type',
    ]);
  });

  it.each(['a', 'Aaaa', 'mx'])(
    'DNS API s2: type %j is refused, and the upper case suggested',
    (type) => {
      const { message } = onlyProblem({ ...A, type });
      expect(message).toBe(`type "${type}" is not supported; write "${type.toUpperCase()}".`);
    },
  );

  it.each(['SOA', 'constructor', '', 'ANY'])(
    'DNS API s2: type %j is not one of the seven',
    (type) => {
      expect(onlyProblem({ ...A, type }).message).toContain(
        'write one of NS, A, AAAA, MX, TXT, CNAME, SRV',
      );
    },
  );

  it.each([undefined, null, 0, 2_147_483_647])('D-REC: a ttl of %j is allowed', (ttl) => {
    expect(findings({ ...A, ttl })).toEqual([]);
  });

  it.each([
    [0, []],
    [65_535, []],
    [undefined, ['priority required']],
    [null, ['priority required']],
    [65_536, ['priority maximum']],
    [-1, ['priority minimum']],
    ['10', ['priority type']],
    [1.5, ['priority type']],
  ])('DNS API s2: MX and SRV with priority %j', (priority, expected) => {
    expect(findings({ ...MX, priority })).toEqual(expected);
    expect(findings({ ...SRV, priority })).toEqual(expected);
  });

  it.each(['NS', 'A', 'AAAA', 'TXT', 'CNAME'])(
    'DNS API s2: %s must not have a priority',
    (type) => {
      const data = { A: '192.0.2.1', AAAA: '::1' }[type] ?? 'a.example.net.';
      expect(findings({ ...A, type, data, priority: null })).toEqual([]);
      expect(findings({ ...A, type, data, priority: 0 })).toEqual(['priority disallowed']);
    },
  );

  it.each(['_sip.example.com.', 'sip._tcp.example.com.', '_sip.tcp.example.com.', ZONE])(
    'RFC 2782: %j is not a valid name for an SRV record',
    (name) => {
      expect(onlyProblem({ ...SRV, name }).message).toContain('"_sip._tcp.example.com."');
    },
  );

  it.each([
    '_sip._tcp.*.example.com.',
    '*.example.com.',
    '*._tcp.example.com.',
    '*.*.example.com.',
  ])('RFC 4592 s4.5: an SRV record may be at or below a wildcard: %j', (name) => {
    expect(findings({ ...SRV, name })).toEqual([]);
  });

  it.each(['_sip.*.example.com.', 'a.*.example.com.'])(
    'RFC 2782: %j is neither a wildcard nor a valid name for an SRV record',
    (name) => {
      expect(findings({ ...SRV, name })).toEqual(['name format']);
      expect(findings({ ...A, name })).toEqual([]);
    },
  );

  it.each([ZONE, 'EXAMPLE.com.'])('RFC 1034 s3.6.2: the apex %j must not be an alias', (name) => {
    expect(findings({ name, type: 'CNAME', data: 'a.example.net.' })).toEqual(['name apex']);
  });

  it('D-REC: a wildcard label counts towards the length of a name', () => {
    const label = 'a'.repeat(60);
    const name = `${[label, label, label, 'a'.repeat(57)].join('.')}.${ZONE}`;
    expect(findings({ ...A, name })).toEqual([]);
    expect(findings({ ...A, name: `*.${name}` })).toEqual(['name maxLength']);
  });

  it('D-REC-21: text that does not fit into a DNS message or PostgreSQL is refused', () => {
    const txt = { ...A, type: 'TXT' };
    expect(findings({ ...txt, data: 'a'.repeat(64_000) })).toEqual([]);
    expect(findings({ ...txt, data: 'a'.repeat(65_300) })).toEqual(['data maxLength']);
    expect(findings({ ...txt, data: 'a\0b' })).toEqual(['data format']);
    expect(findings({ ...txt, data: '' })).toEqual(['data format']);
  });

  it.each([
    ['caa', 'write "CAA"'],
    ['TYPE257', 'write "CAA"'],
    ['TYPE1', 'write "A"'],
    ['RRSIG', 'is managed by this service'],
    ['TYPE48', 'is managed by this service'],
    ['AXFR', 'TYPE and a number'],
    ['TYPE39', 'write "DNAME"'],
    ['TYPE128', 'TYPE and a number'],
    ['TYPE255', 'TYPE and a number'],
    ['TYPE0', 'TYPE and a number'],
    ['TYPE065280', 'TYPE and a number'],
    ['TYPE65535', 'TYPE and a number'],
  ])('RFC 6895 s3.1: users must not write records of type %s', (type, words) => {
    const problems = checkRecord({ ...A, type, data: '\\# 0' }, ZONE);
    expect(problems).toMatchObject([{ path: 'type', validator: 'enum' }]);
    expect(problems[0]?.message).toContain(words);
  });

  it.each<[string, string, string[]]>([
    ['at a name', `old.${ZONE}`, []],
    ['at the apex', ZONE, []],
    ['at a name below an asterisk', `a.*.${ZONE}`, []],
    ['at a wildcard', `*.${ZONE}`, ['name format']],
  ])('RFC 6672 s2.4, s3.3: DNAME %s', (_, name, expected) => {
    const problems = checkRecord({ name, type: 'DNAME', data: 'example.net.' }, ZONE);
    expect(problems.map(({ path, validator }) => `${path} ${validator}`)).toEqual(expected);
  });

  it.each(['TYPE65280', 'TYPE10', 'TYPE65534'])('RFC 3597 s5: %s is written as octets', (type) => {
    expect(checkRecord({ ...A, type, data: '\\# 2 0a 0B' }, ZONE)).toEqual([]);
    expect(checkRecord({ ...A, type, data: '0a0b' }, ZONE)).toMatchObject([{ path: 'data' }]);
    expect(checkRecord({ ...A, type, data: '\\# 3 0a0b' }, ZONE)).toMatchObject([{ path: 'data' }]);
  });

  it('RFC 4035 s2.4: a DS record is refused at the apex', () => {
    const ds = { type: 'DS', data: `1 13 2 ${'0a'.repeat(32)}` };
    expect(checkRecord({ ...ds, name: ZONE }, ZONE)).toMatchObject([{ validator: 'apex' }]);
    expect(checkRecord({ ...ds, name: `child.${ZONE}` }, ZONE)).toEqual([]);
  });

  it.each(['_443._tcp.', '*._tcp.', '*.', '_443._tcp.*.'])(
    'RFC 6698 s3: %s begins the name of a TLSA record',
    (start) => {
      const tlsa = { type: 'TLSA', data: '3 0 0 0a' };
      expect(checkRecord({ ...tlsa, name: start + ZONE }, ZONE)).toEqual([]);
      expect(checkRecord({ ...tlsa, name: `www.${ZONE}` }, ZONE)).toMatchObject([{ path: 'name' }]);
    },
  );
});
