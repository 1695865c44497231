import { describe, expect, it } from '@jest/globals';
import { nameToWire, RR_TYPE } from '@zonewright/dns-records';

import type { Message } from '../conformance/support/message.js';
import { buildQuery } from '../conformance/support/query.js';
import { parseZone, readConformanceZones } from '../conformance/support/zones.js';
import { handleQuery } from '../src/answer/handle-query.js';
import { OUTCOME, OUTCOME_NAMES } from '../src/message/outcome.js';
import { compileZone } from '../src/compile/compile-zone.js';
import { ImageWriter } from '../src/image/image-writer.js';
import { IMAGE_STATE } from '../src/image/layout.js';
import { InProcessServer } from './support/in-process-server.js';

const QUESTION = 'www.corp.test. A';
const EXTENDED_ERROR = 15;

function extendedErrorOf({ opt }: Message): number | undefined {
  const data = opt?.options.find(({ code }) => code === EXTENDED_ERROR)?.data;
  return data && Buffer.from(data).readUInt16BE();
}

describe('RFC 4592 s2.2.2: names above hosted zones', () => {
  const zone = (apex: string) =>
    compileZone(
      parseZone(apex, '@ 60 SOA ns. admin. 1 2 3 4 5\n@ 60 NS ns.\n*.sub 60 A 192.0.2.1'),
    );
  const ANSWERS = ['b.sub.up. A', 'x.b.sub.up. A', 'other.sub.up. A', 'a.b.sub.up. DS'];
  /** Returns the rcode and the owner of the SOA for each of the questions above. */
  const ask = (server: InProcessServer) =>
    ANSWERS.map((question) => {
      const { rcode, authorities } = server.ask('TCP', { question });
      return [rcode, ...authorities].join(' ').replace(/ \d+ IN SOA .*/, '');
    });
  const PARENT_ALONE = ['NOERROR', 'NOERROR', 'NOERROR', 'NOERROR up.'];
  const BOTH = ['NOERROR up.', 'NXDOMAIN up.', 'NOERROR', 'NOERROR up.'];
  const CHILD_ALONE = ['REFUSED', 'REFUSED', 'REFUSED', 'NOERROR a.b.sub.up.'];

  it('appear and disappear with them, whether parent or child is added first', () => {
    const server = new InProcessServer([]);
    const { image } = server;
    image.put(zone('up.'));
    expect(ask(server).slice(0, 3)).toEqual(PARENT_ALONE.slice(0, 3));
    image.put(zone('a.b.sub.up.'));
    expect(ask(server)).toEqual(BOTH);
    image.put(zone('a.b.sub.up.'));
    image.remove(nameToWire('up.'));
    expect(ask(server)).toEqual(CHILD_ALONE);
    image.put(zone('up.'));
    expect(ask(server)).toEqual(BOTH);
    image.remove(nameToWire('a.b.sub.up.'));
    expect(ask(server).slice(0, 3)).toEqual(PARENT_ALONE.slice(0, 3));
    expect([image.zones, image.listApexes().length]).toEqual([1, 1]);
  });

  it('stay while there is a zone below them, even if a zone with that name is deleted', () => {
    const server = new InProcessServer([]);
    const { image } = server;
    for (const apex of ['up.', 'b.sub.up.', 'a.b.sub.up.', 'c.b.sub.up.']) image.put(zone(apex));
    image.remove(nameToWire('c.b.sub.up.'));
    image.remove(nameToWire('b.sub.up.'));
    expect(ask(server)).toEqual(BOTH);
    image.remove(nameToWire('a.b.sub.up.'));
    expect(ask(server).slice(0, 3)).toEqual(PARENT_ALONE.slice(0, 3));
  });

  it('are recognized by the next writer', () => {
    const server = new InProcessServer([]);
    server.image.put(zone('up.'));
    server.image.put(zone('a.b.sub.up.'));
    const next = ImageWriter.resume(server.image.buffer);
    expect(ask(server)).toEqual(BOTH);
    next.remove(nameToWire('a.b.sub.up.'));
    expect(ask(server).slice(0, 3)).toEqual(PARENT_ALONE.slice(0, 3));
  });

  it('a cut further up has priority', () => {
    const server = new InProcessServer([
      parseZone('up.', '@ 60 SOA ns. admin. 1 2 3 4 5\n@ 60 NS ns.\nsub 60 NS ns.elsewhere.'),
    ]);
    server.image.put(zone('a.b.sub.up.'));
    expect(server.ask('TCP', { question: 'b.sub.up. A' }).authorities).toEqual([
      'sub.up. 60 IN NS ns.elsewhere.',
    ]);
    expect(ask(server)[3]).toBe('NOERROR a.b.sub.up.');
  });
});

describe('RFC 8914: what the state of the zones means for answers', () => {
  it('s4.15: while zones are being loaded, an unknown name is SERVFAIL, Not Ready', () => {
    const server = new InProcessServer(readConformanceZones());
    server.image.setState(IMAGE_STATE.LOADING);
    const unknown = server.ask('UDP', { question: 'www.elsewhere.invalid. A', edns: {} });
    expect(unknown).toMatchObject({ rcode: 'SERVFAIL', flags: '' });
    expect(extendedErrorOf(unknown)).toBe(14);
  });

  it('a loaded zone is answered', () => {
    const server = new InProcessServer(readConformanceZones());
    server.image.setState(IMAGE_STATE.LOADING);
    expect(server.ask('UDP', { question: QUESTION, edns: {} })).toMatchObject({ rcode: 'NOERROR' });
  });

  it.each([
    ['NOERROR', QUESTION],
    ['NXDOMAIN', 'missing.corp.test. A'],
  ])('s4.4: data that may be outdated is sent (%s) with Stale', (rcode, question) => {
    const server = new InProcessServer(readConformanceZones());
    server.image.setState(IMAGE_STATE.STALE);
    const response = server.ask('UDP', { question, edns: {} });
    expect(response.rcode).toBe(rcode);
    expect(extendedErrorOf(response)).toBe(3);
    expect(server.ask('UDP', { question }).opt).toBeUndefined();
  });
});

describe('RFC 1034 s3.7.1: class ANY', () => {
  it('is answered with class IN, without AA', () => {
    const server = new InProcessServer(readConformanceZones());
    const response = server.ask('UDP', { question: 'www.corp.test. ANY A' });
    expect(response).toMatchObject({ rcode: 'NOERROR', flags: '' });
    expect(response.answers).toEqual(['www.corp.test. 600 IN A 192.0.2.80']);
  });
});

describe('RFC 2181 s8: a TTL above 2^31-1', () => {
  it.each(['UDP', 'TCP'] as const)('counts as 0, over %s', (transport) => {
    const zone = parseZone('t.', '@ 60 SOA ns. admin. 1 2 3 4 5\n@ 60 NS ns.\nwww 60 A 192.0.2.1');
    const records = [...zone.records].map((record) =>
      record.type === RR_TYPE.A ? { ...record, ttl: 2 ** 31 } : record,
    );
    const server = new InProcessServer([{ ...zone, records }]);
    expect(server.ask(transport, { question: 'www.t. A' }).answers).toEqual([
      'www.t. 0 IN A 192.0.2.1',
    ]);
  });
});

describe('RFC 1035 s4.1.4: the names of the SOA in a negative answer', () => {
  // The answer has 12 + 15 + 2 + 10 + 20 octets, plus the names.
  it.each([
    ['ns.a.test.', 'admin.a.test.', 5 + 8],
    ['no.a.test.', 'x.no.a.test.', 2 + 4],
    ['NS.A.TEST.', 'admin.other.test.', 5 + 14],
    ['a.test.', 'test.', 2 + 2],
    ['ba.test.', 'a.testy.', 5 + 9],
    ['ns.example.', '.', 12 + 1],
  ])('%s and %s point to the question with the whole common suffix', (primary, mailbox, octets) => {
    const zone = parseZone('a.test.', `@ 60 SOA ${primary} ${mailbox} 1 2 3 4 5\n@ 60 NS ns.`);
    const server = new InProcessServer([zone]);
    const question = 'no.a.test. A';
    expect(server.ask('UDP', { question })).toMatchObject({
      rcode: 'NXDOMAIN',
      authorities: [
        expect.stringMatching(new RegExp(`^a.test. 5 IN SOA ${primary} ${mailbox} 1 `, 'i')),
      ],
    });
    expect(server.answer('UDP', buildQuery({ question }))).toHaveLength(59 + octets);
  });
});

describe('RFC 1035 s4.2.2: the longest messages', () => {
  // The answer has 12 + 15 + 12 * records octets, plus the rdata.
  function textZone(lengths: readonly number[]) {
    const texts = lengths.map((length, i) => {
      const strings = Array.from(
        { length: Math.floor(length / 256) },
        () => `"${'x'.repeat(255)}"`,
      );
      const rest = length % 256;
      if (rest > 0) strings.push(`"${String(i).padStart(rest - 1, 'y')}"`);
      return `@ 60 TXT ${strings.join(' ')}`;
    });
    return parseZone('t.', `@ 60 SOA ns. admin. 1 2 3 4 5\n@ 60 NS ns.\n${texts.join('\n')}`);
  }

  it('65,535 octets are sent over TCP', () => {
    const server = new InProcessServer([textZone([65_535 - 12 - 7 - 12])]);
    const answer = server.answer('TCP', buildQuery({ question: 't. TXT' }));
    expect(answer).toHaveLength(65_535);
    expect(server.context.isTruncated).toBe(false);
  });

  it('one octet more is not sent, not even over TCP', () => {
    const server = new InProcessServer([textZone([65_535 - 12 - 7 - 12 + 1])]);
    const answer = server.answer('TCP', buildQuery({ question: 't. TXT' }));
    expect(answer).toHaveLength(12 + 7);
    expect(server.context.isTruncated).toBe(true);
  });
});

describe('data that the DNS API excludes from zones, or that the RFCs leave undefined', () => {
  const server = new InProcessServer([
    parseZone(
      't.',
      `@ 60 SOA ns. admin. 1 2 3 4 5
       @ 60 NS ns.
       both 60 CNAME www
       both 60 A 192.0.2.1
       www 60 AAAA 2001:db8::1
       *.wild 60 NS ns.
       mail 60 MX 1 any.covered
       *.covered 60 A 192.0.2.2`.replaceAll(/^ +/gm, ''),
    ),
  ]);

  it.each(['UDP', 'TCP'] as const)(
    'our choice, over %s: data at the name of a CNAME is answered',
    (over) => {
      expect(server.ask(over, { question: 'both.t. A' }).answers).toEqual([
        'both.t. 60 IN A 192.0.2.1',
      ]);
      expect(server.ask(over, { question: 'both.t. AAAA' }).answers).toEqual([
        'both.t. 60 IN CNAME www.t.',
        'www.t. 60 IN AAAA 2001:db8::1',
      ]);
    },
  );

  it.each(['UDP', 'TCP'] as const)('RFC 4592 s4.2, over %s: NS at a wildcard is data', (over) => {
    expect(server.ask(over, { question: 'any.wild.t. NS' })).toMatchObject({
      flags: 'aa',
      answers: ['any.wild.t. 60 IN NS ns.'],
    });
    expect(server.ask(over, { question: 'any.wild.t. A' })).toMatchObject({
      rcode: 'NOERROR',
      flags: 'aa',
      answers: [],
    });
  });

  it.each(['UDP', 'TCP'] as const)(
    'our choice, over %s: no additional data from wildcards',
    (over) => {
      expect(server.ask(over, { question: 'mail.t. MX' })).toMatchObject({
        answers: ['mail.t. 60 IN MX 1 any.covered.t.'],
        additionals: [],
      });
    },
  );
});

describe('limits of one answer', () => {
  const HEAD = '@ 60 SOA ns. admin. 1 2 3 4 5\n@ 60 NS ns.';

  it('RFC 1034 s3.6.2: at most sixteen CNAMEs are followed', () => {
    const chain = Array.from({ length: 20 }, (_, i) => `c${i} 60 CNAME c${i + 1}`).join('\n');
    const server = new InProcessServer([parseZone('t.', `${HEAD}\n${chain}`)]);
    const response = server.ask('TCP', { question: 'c0.t. A' });
    expect(response).toMatchObject({ rcode: 'NOERROR', flags: 'aa', authorities: [] });
    expect(response.answers).toHaveLength(16);
    expect(server.ask('TCP', { question: 'c5.t. A' }).rcode).toBe('NXDOMAIN');
  });

  it('at most 64 address RRsets that are not required, but all glue', () => {
    const targets = Array.from({ length: 100 }, (_, i) => i);
    const lines = targets.map(
      (i) => `@ 60 MX 1 m${i}\nm${i} 60 A 192.0.2.1\ncut 60 NS n${i}.cut\nn${i}.cut 60 A 192.0.2.1`,
    );
    const server = new InProcessServer([parseZone('t.', `${HEAD}\n${lines.join('\n')}`)]);
    expect(server.ask('TCP', { question: 't. MX' }).additionals).toHaveLength(64);
    expect(server.ask('TCP', { question: 'x.cut.t. A' }).additionals).toHaveLength(100);
  });

  it('RFC 1035 s2.3.4: names of 255 octets can be queried and are answered', () => {
    const label = 'l'.repeat(63);
    const name = `${label}.${label}.${label}.${'l'.repeat(59)}.t.`;
    const server = new InProcessServer([parseZone('t.', `${HEAD}\n${name} 60 CNAME ${name}`)]);
    expect(server.ask('UDP', { question: `${name} A` }).answers).toEqual([
      `${name} 60 IN CNAME ${name}`,
    ]);
  });
});

describe('results for statistics and rate limiting', () => {
  const server = new InProcessServer(readConformanceZones());

  it.each([
    ['answer', 'www.corp.test. A'],
    ['cname', 'outside.corp.test. A'],
    ['referral', 'www.delegated.corp.test. A'],
    ['nodata', 'www.corp.test. MX'],
    ['nxdomain', 'missing.corp.test. A'],
    ['refused', 'elsewhere.invalid. A'],
    ['notauth', 'elsewhere.invalid. AXFR'],
  ])('the outcome is %s (%s)', (outcome, question) => {
    server.ask('UDP', { question });
    expect(OUTCOME_NAMES[server.context.outcome]).toBe(outcome);
  });

  it('an unknown opcode is notimp', () => {
    server.ask('UDP', { question: QUESTION, opcode: 2 });
    expect(server.context.outcome).toBe(OUTCOME.NOTIMP);
  });

  it('a response is ignored', () => {
    expect(server.answer('UDP', buildQuery({ question: QUESTION, flags: 0x8000 }))).toBeUndefined();
    expect(server.context.outcome).toBe(OUTCOME.DROP);
  });

  function identityOf(question: string): number {
    server.ask('UDP', { question });
    return server.context.answerIdentity;
  }

  it.each([
    ['names missing in a zone', 'x.corp.test. A', 'y.z.corp.test. MX'],
    ['names under a wildcard', 'x.wild.corp.test. A', 'y.z.wild.corp.test. TXT'],
    ['names below a cut', 'x.delegated.corp.test. A', 'y.z.delegated.corp.test. MX'],
    ['letters in another case', 'www.corp.test. A', 'WWW.corp.TEST. A'],
    ['names outside', 'a.invalid. A', 'b.invalid. A'],
  ])('the identity is the same for %s', (_, one, other) => {
    expect(identityOf(one)).toBe(identityOf(other));
  });

  it.each([
    ['two names', 'www.corp.test. A', 'mail.corp.test. A'],
    ['two types', 'www.corp.test. A', 'www.corp.test. AAAA'],
    ['the zone and a missing name', 'corp.test. A', 'missing.corp.test. A'],
    ['missing names of two zones', 'missing.corp.test. A', 'missing.partner.test. A'],
    ['the wildcard and what it stands for', '*.wild.corp.test. A', 'x.wild.corp.test. A'],
  ])('the identity differs for %s', (_, one, other) => {
    expect(identityOf(one)).not.toBe(identityOf(other));
  });

  it('RFC 7873 s3: a client with our cookie is known to have its address', () => {
    const withCookie = (data: Uint8Array) => ({
      question: QUESTION,
      edns: { options: [{ code: 10, data }] },
    });
    const first = server.ask('UDP', withCookie(Buffer.alloc(8, 1)));
    expect(server.context.hasValidCookie).toBe(false);
    const cookie = first.opt?.options[0]?.data ?? Buffer.alloc(0);
    server.ask('UDP', withCookie(cookie));
    expect(server.context.hasValidCookie).toBe(true);
    server.context.sourceAddress[15] = 1;
    server.ask('UDP', withCookie(cookie));
    expect(server.context.hasValidCookie).toBe(false);
  });
});

describe('a programming error', () => {
  it('becomes SERVFAIL, and the error can be logged', () => {
    const server = new InProcessServer(readConformanceZones());
    const { context } = server;
    const fault = new Error('simulated');
    context.cookies.setClient = () => {
      throw fault;
    };
    const edns = { options: [{ code: 10, data: Buffer.alloc(8) }] };
    context.input = buildQuery({ question: QUESTION, edns });
    context.inputLength = context.input.length;
    const length = handleQuery(context);
    expect(context.fault).toBe(fault);
    expect(context.rcode).toBe(2);
    expect(context.output[3]).toBe(2);
    expect(length).toBeGreaterThan(12);
  });
});

describe('an answer is of one version of a zone', () => {
  it('even if the zone is replaced while a CNAME is followed', () => {
    const version = (n: number) =>
      compileZone(
        parseZone(
          'v.',
          `@ 60 SOA ns. admin. ${n} 2 3 4 5\n@ 60 NS ns.\na 60 CNAME b\nb 60 TXT "${n}"`,
        ),
      );
    const server = new InProcessServer([]);
    server.image.put(version(1));
    const { context } = server;
    // The writer is another thread; in this test it writes after the first zone has been found.
    let writes = 1;
    const chain = context.chain;
    Object.defineProperty(context, 'chain', {
      get: () => {
        server.image.put(version(++writes));
        return chain;
      },
    });
    server.reader.enter();
    const response = server.ask('UDP', { question: 'a.v. TXT' });
    server.reader.leave();
    expect(writes).toBeGreaterThan(1);
    expect(response.answers).toEqual(['a.v. 60 IN CNAME b.v.', 'b.v. 60 IN TXT "1"']);
  });
});

describe('RFC 9660: the version of a secondary zone', () => {
  const ZONEVERSION = 19;
  const edns = { options: [{ code: ZONEVERSION, data: Buffer.alloc(0) }] };
  const apex = 'secondary.test.';
  const optionsOf = (server: InProcessServer) =>
    server.ask('UDP', { question: 'www.secondary.test. A', edns }).opt?.options;

  it('is the serial of its SOA, not the serial that the database has for it', () => {
    const zone = parseZone(apex, '@ 60 SOA ns. admin. 4294967295 2 3 4 5\n@ 60 NS ns.');
    const server = new InProcessServer([{ ...zone, serial: 7 }]);
    const data = Buffer.from([2, 0, 0xff, 0xff, 0xff, 0xff]);
    expect(optionsOf(server)).toEqual([{ code: ZONEVERSION, data }]);
  });

  it('is not sent while the zone has no content', () => {
    const server = new InProcessServer([
      { apex: nameToWire(apex), serial: 7, records: [], isWithheld: true },
    ]);
    expect(optionsOf(server)?.map(({ code }) => code)).toEqual([EXTENDED_ERROR]);
  });
});
