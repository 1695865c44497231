import { describe, expect, it } from '@jest/globals';
import { RR_TYPE } from '@zonewright/dns-records';

import { ID_OF_HONEST_QUERY, TRANSPORTS, useServer } from '../support/cases.js';
import { buildMessage, buildQuery, buildQuestion, buildRecord } from '../support/query.js';

const QUESTION = 'www.corp.test. A';
const [AA, TC, RD, RA, Z, AD, CD] = [0x0400, 0x0200, 0x0100, 0x0080, 0x0040, 0x0020, 0x0010];
const KNOWN_OPCODES = [0, 4, 5];
const UNKNOWN_OPCODES = Array.from({ length: 16 }, (_, opcode) => opcode).filter(
  (opcode) => !KNOWN_OPCODES.includes(opcode),
);

describe.each(TRANSPORTS)('RFC 8906, RFC 1035 s4.1.1: the header over %s', (transport) => {
  const { ask, exchange } = useServer();

  it.each([
    ['RD', RD, 'aa rd'],
    ['CD (RFC 4035 s3.1.6: is cleared)', CD, 'aa'],
    ['AD (RFC 6840 s5.7: nothing is validated here)', AD, 'aa'],
    ['Z', Z, 'aa'],
    ['RA', RA, 'aa'],
    ['TC', TC, 'aa'],
    ['AA', AA, 'aa'],
    ['all of them', AA | TC | RD | RA | Z | AD | CD, 'aa rd'],
  ])('RFC 8906 s3.1.5: a query with %s is answered', async (_, flags, expected) => {
    const response = await ask(transport, { question: QUESTION, flags });
    expect(response).toMatchObject({ rcode: 'NOERROR', flags: expected });
    expect(response.answers).toHaveLength(1);
  });

  it('RFC 1035 s4.1.1: the id comes back', async () => {
    const response = await ask(transport, { question: QUESTION, id: 0xfedc });
    expect(response.id).toBe(0xfedc);
  });

  it('RFC 1035 s4.1.1: an rcode in a query means nothing', async () => {
    const response = await ask(transport, { question: QUESTION, flags: 0x000f });
    expect(response.rcode).toBe('NOERROR');
  });

  it.each(UNKNOWN_OPCODES)(
    'RFC 8906 s3.1.4: opcode %i is NOTIMP, with empty sections',
    async (opcode) => {
      const response = await ask(transport, { question: QUESTION, opcode, flags: RD });
      expect(response).toMatchObject({ rcode: 'NOTIMP', opcode, flags: 'rd' });
      expect(response.octets).toHaveLength(12);
    },
  );

  it('RFC 6891 s7: with OPT, if that could be found', async () => {
    const response = await ask(transport, { question: QUESTION, opcode: 15, edns: {} });
    expect(response).toMatchObject({ rcode: 'NOTIMP', questions: [], additionals: [] });
    expect(response.opt).toBeDefined();
  });

  it('RFC 8906 s3.1.4: an unknown opcode whose body is no message is NOTIMP too', async () => {
    const query = Buffer.concat([
      buildMessage({ flags: 6 << 11 }),
      Buffer.from('dso, which is something else altogether'),
    ]);
    expect((await exchange(transport, query)).rcode).toBe('NOTIMP');
  });
});

describe.each(TRANSPORTS)('what is never answered, over %s', (transport) => {
  const { askAfter } = useServer();

  it('RFC 1035 s4.1.1: a response, or two servers could answer each other for ever', async () => {
    const response = await askAfter(transport, buildQuery({ question: QUESTION, flags: 0x8000 }));
    expect(response.id).toBe(ID_OF_HONEST_QUERY);
  });

  it('a response of an opcode that is not known', async () => {
    const query = buildQuery({ question: QUESTION, flags: 0x8000, opcode: 9 });
    expect((await askAfter(transport, query)).id).toBe(ID_OF_HONEST_QUERY);
  });
});

describe('RFC 1035 s4.1.1: less than a header is never answered', () => {
  const { askAfter } = useServer();

  it.each([0, 1, 2, 11])('%i octets over UDP', async (length) => {
    const cut = buildQuery({ question: QUESTION }).subarray(0, length);
    expect((await askAfter('UDP', cut)).id).toBe(ID_OF_HONEST_QUERY);
  });
});

describe.each(TRANSPORTS)('RFC 9619 s4, RFC 1035 s4.1: counts over %s', (transport) => {
  const { exchange } = useServer();
  const question = buildQuestion(QUESTION);
  const record = buildRecord('www.corp.test.', RR_TYPE.A, 1, 0, Buffer.from([192, 0, 2, 1]));

  it('RFC 9619 s4: two questions are FORMERR', async () => {
    const query = buildMessage({ questions: [question, question] });
    expect(await exchange(transport, query)).toMatchObject({ rcode: 'FORMERR', answers: [] });
  });

  it('RFC 9619 s4: no question is FORMERR', async () => {
    expect((await exchange(transport, buildMessage({}))).rcode).toBe('FORMERR');
  });

  it('RFC 1035 s4.1.1: a count that promises more than there is, is FORMERR', async () => {
    const query = buildQuery({ question: QUESTION });
    query.writeUInt16BE(1, 10);
    const response = await exchange(transport, query);
    expect(response).toMatchObject({ rcode: 'FORMERR', questions: [QUESTION] });
  });

  it('a query is FORMERR when octets are left over', async () => {
    const query = Buffer.concat([buildQuery({ question: QUESTION }), Buffer.from([0])]);
    expect((await exchange(transport, query)).rcode).toBe('FORMERR');
  });

  it('a query is FORMERR when it brings answers', async () => {
    const query = buildMessage({ questions: [question], answers: [record] });
    expect((await exchange(transport, query)).rcode).toBe('FORMERR');
  });

  it('a query is FORMERR when it brings authority', async () => {
    const query = buildMessage({ questions: [question], authorities: [record] });
    expect((await exchange(transport, query)).rcode).toBe('FORMERR');
  });

  it.each([
    ['a pointer', 'c00c 0001 0001'],
    ['a pointer past the end', 'cfff 0001 0001'],
    ['a label of a reserved kind', '4161 00 0001 0001'],
    ['a label that runs past the end', '3f61'],
    ['no type', '0361626300'],
  ])('RFC 1035 s4.1.2: %s in the question is FORMERR', async (_, hex) => {
    const body = Buffer.from(hex.replaceAll(' ', ''), 'hex');
    const query = buildMessage({ questions: [body] });
    expect(await exchange(transport, query)).toMatchObject({ rcode: 'FORMERR', questions: [] });
  });

  it('RFC 1035 s2.3.4: a name of more than 255 octets is FORMERR', async () => {
    const label = Buffer.concat([Buffer.from([63]), Buffer.alloc(63, 'a')]);
    const name = Buffer.concat([label, label, label, label, Buffer.from([0, 0, 1, 0, 1])]);
    const query = buildMessage({ questions: [name] });
    expect((await exchange(transport, query)).rcode).toBe('FORMERR');
  });
});
