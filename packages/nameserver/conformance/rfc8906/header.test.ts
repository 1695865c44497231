import { describe, expect, it } from '@jest/globals';
import { RR_TYPE } from '@zonewright/dns-records';

import {
  ID_OF_HONEST_QUERY,
  QUERY_FORMS,
  TRANSPORTS,
  UDP_TRANSPORTS,
  useServer,
} from '../support/cases.js';
import {
  buildMessage,
  buildOpt,
  buildQuery,
  buildQuestion,
  buildRecord,
} from '../support/query.js';

const QUESTION = 'www.corp.test. A';
const [AA, TC, RD, RA, Z, AD, CD] = [0x0400, 0x0200, 0x0100, 0x0080, 0x0040, 0x0020, 0x0010];
const KNOWN_OPCODES = [0, 4, 5];
const UNKNOWN_OPCODES = Array.from({ length: 16 }, (_, opcode) => opcode).filter(
  (opcode) => !KNOWN_OPCODES.includes(opcode),
);

/** The length of a header; an OPT record without options must follow if the query had one (RFC 6891, section 7). */
const EMPTY_OCTETS = 12;
const OPT_OCTETS = 11;

describe.each(QUERY_FORMS)(
  'RFC 8906, RFC 1035 s4.1.1: the header over %s',
  (_, transport, edns) => {
    const { ask } = useServer();

    it.each([
      ['RD', RD, 'aa rd'],
      ['CD (RFC 4035 s3.1.6: is cleared)', CD, 'aa'],
      ['AD (RFC 6840 s5.7: nothing is validated here)', AD, 'aa'],
      ['Z', Z, 'aa'],
      ['RA', RA, 'aa'],
      ['TC', TC, 'aa'],
      ['AA', AA, 'aa'],
      ['all of them', AA | TC | RD | RA | Z | AD | CD, 'aa rd'],
    ])('RFC 8906 s3.1.5: a query with %s is answered', async (_title, flags, expected) => {
      const response = await ask(transport, { question: QUESTION, flags, edns });
      expect(response).toMatchObject({ rcode: 'NOERROR', flags: expected });
      expect(response.answers).toHaveLength(1);
    });

    it('RFC 1035 s4.1.1: the id is returned', async () => {
      const response = await ask(transport, { question: QUESTION, id: 0xfedc, edns });
      expect(response.id).toBe(0xfedc);
    });

    it('RFC 1035 s4.1.1: an rcode in a query is ignored', async () => {
      const response = await ask(transport, { question: QUESTION, flags: 0x000f, edns });
      expect(response.rcode).toBe('NOERROR');
    });

    it.each(UNKNOWN_OPCODES)(
      'RFC 8906 s3.1.4: opcode %i is NOTIMP, with empty sections',
      async (opcode) => {
        const response = await ask(transport, { question: QUESTION, opcode, flags: RD, edns });
        expect(response).toMatchObject({ rcode: 'NOTIMP', opcode, flags: 'rd' });
        const optOctets = edns === undefined ? 0 : OPT_OCTETS;
        expect(response.octets).toHaveLength(EMPTY_OCTETS + optOctets);
      },
    );
  },
);

describe.each(TRANSPORTS)('RFC 8906 s3.1.4: an unknown opcode over %s', (transport) => {
  const { exchange } = useServer();

  it('is NOTIMP even if its body is not a message', async () => {
    const query = Buffer.concat([
      buildMessage({ flags: 6 << 11 }),
      Buffer.from('dso, which is something else altogether'),
    ]);
    expect((await exchange(transport, query)).rcode).toBe('NOTIMP');
  });
});

describe.each(TRANSPORTS)('messages that are never answered, over %s', (transport) => {
  const { askAfter } = useServer();

  it('RFC 1035 s4.1.1: a response, because two servers could answer each other endlessly', async () => {
    const response = await askAfter(transport, buildQuery({ question: QUESTION, flags: 0x8000 }));
    expect(response.id).toBe(ID_OF_HONEST_QUERY);
  });

  it('a response with an unknown opcode', async () => {
    const query = buildQuery({ question: QUESTION, flags: 0x8000, opcode: 9 });
    expect((await askAfter(transport, query)).id).toBe(ID_OF_HONEST_QUERY);
  });
});

describe.each(UDP_TRANSPORTS)(
  'RFC 1035 s4.1.1: messages shorter than a header are never answered, over %s',
  (udp) => {
    const { askAfter } = useServer();

    it.each([0, 1, 2, 11])('%i octets', async (length) => {
      const cut = buildQuery({ question: QUESTION }).subarray(0, length);
      expect((await askAfter(udp, cut)).id).toBe(ID_OF_HONEST_QUERY);
    });
  },
);

describe.each(QUERY_FORMS)('RFC 9619 s4, RFC 1035 s4.1: counts over %s', (_, transport, edns) => {
  const { exchange } = useServer();
  const additionals = edns === undefined ? [] : [buildOpt(edns)];
  const question = buildQuestion(QUESTION);
  const record = buildRecord('www.corp.test.', RR_TYPE.A, 1, 0, Buffer.from([192, 0, 2, 1]));

  it.each([
    ['RFC 9619 s4: two questions', { questions: [question, question] }],
    ['RFC 9619 s4: no question', {}],
    ['our choice: a query with answers', { questions: [question], answers: [record] }],
    [
      'our choice: a query with authority records',
      { questions: [question], authorities: [record] },
    ],
  ])('%s: FORMERR', async (_title, parts) => {
    const response = await exchange(transport, buildMessage({ ...parts, additionals }));
    expect(response).toMatchObject({ rcode: 'FORMERR', answers: [], authorities: [] });
    expect(response.opt === undefined).toBe(edns === undefined);
  });

  it('RFC 1035 s4.1.1: a count that exceeds the existing records is FORMERR', async () => {
    const query = buildQuery({ question: QUESTION, edns });
    query.writeUInt16BE(additionals.length + 1, 10);
    const response = await exchange(transport, query);
    expect(response).toMatchObject({ rcode: 'FORMERR', questions: [QUESTION] });
  });

  it('our choice: a query with octets after its end is FORMERR', async () => {
    const query = Buffer.concat([buildQuery({ question: QUESTION, edns }), Buffer.from([0])]);
    expect((await exchange(transport, query)).rcode).toBe('FORMERR');
  });
});

describe.each(TRANSPORTS)('RFC 1035 s4.1.2: a malformed question over %s', (transport) => {
  const { exchange } = useServer();

  it.each([
    ['a pointer', 'c00c 0001 0001'],
    ['a pointer past the end', 'cfff 0001 0001'],
    ['a label of a reserved kind', '4161 00 0001 0001'],
    ['a label that runs past the end', '3f61'],
    ['no type', '0361626300'],
  ])('%s is FORMERR', async (_, hex) => {
    const body = Buffer.from(hex.replaceAll(' ', ''), 'hex');
    const query = buildMessage({ questions: [body] });
    expect(await exchange(transport, query)).toMatchObject({ rcode: 'FORMERR', questions: [] });
  });

  it('s2.3.4: a name of more than 255 octets is FORMERR', async () => {
    const label = Buffer.concat([Buffer.from([63]), Buffer.alloc(63, 'a')]);
    const name = Buffer.concat([label, label, label, label, Buffer.from([0, 0, 1, 0, 1])]);
    const query = buildMessage({ questions: [name] });
    expect((await exchange(transport, query)).rcode).toBe('FORMERR');
  });
});
