import { describe, expect, it } from '@jest/globals';
import { RR_CLASS, RR_TYPE } from '@zonewright/dns-records';

import { describeAnswers, QUERY_FORMS, useServer } from '../support/cases.js';
import { buildMessage, buildOpt, buildQuestion, buildRecord } from '../support/query.js';

describeAnswers('RFC 5936, RFC 1995: transfers are not offered', [
  {
    rule: 'RFC 5936 s2.2.1: AXFR of a zone of ours is REFUSED',
    question: 'corp.test. AXFR',
    rcode: 'REFUSED',
    flags: '',
  },
  {
    rule: 'RFC 5936 s2.2.1: AXFR of what is no zone of ours is NOTAUTH',
    question: 'www.corp.test. AXFR',
    rcode: 'NOTAUTH',
    flags: '',
  },
  {
    rule: 'RFC 5936 s2.2.1: so is AXFR of a zone elsewhere',
    question: 'elsewhere.invalid. AXFR',
    rcode: 'NOTAUTH',
    flags: '',
  },
  {
    rule: 'RFC 1995: IXFR is as AXFR',
    question: 'corp.test. IXFR',
    rcode: 'REFUSED',
    flags: '',
  },
]);

const [NOTIFY, UPDATE] = [4 << 11, 5 << 11];

describe.each(QUERY_FORMS)('operations on zones over %s', (_, transport, edns) => {
  const { exchange } = useServer();
  const additionals = edns === undefined ? [] : [buildOpt(edns)];
  const soa = buildRecord('corp.test.', RR_TYPE.SOA, RR_CLASS.IN, 1, Buffer.alloc(22));

  it('RFC 1995 s3: the SOA in the authority section of IXFR is not an error', async () => {
    const query = buildMessage({
      questions: [buildQuestion('corp.test. IXFR')],
      authorities: [soa],
      additionals,
    });
    expect((await exchange(transport, query)).rcode).toBe('REFUSED');
  });

  it.each([
    ['RFC 1996: NOTIFY of a zone that is ours alone to change', NOTIFY, 'corp.test.', 'REFUSED'],
    ['RFC 1996: NOTIFY of a zone elsewhere', NOTIFY, 'elsewhere.invalid.', 'NOTAUTH'],
    ['RFC 2136 s3.3: UPDATE of a zone of ours', UPDATE, 'corp.test.', 'REFUSED'],
    ['RFC 2136 s3.1.2: UPDATE of what is no zone of ours', UPDATE, 'www.corp.test.', 'NOTAUTH'],
  ])('%s', async (_title, flags, zone, rcode) => {
    const query = buildMessage({
      flags,
      questions: [buildQuestion(`${zone} SOA`)],
      authorities: [soa],
      additionals,
    });
    const response = await exchange(transport, query);
    expect(response).toMatchObject({ rcode, opcode: flags >> 11, answers: [], authorities: [] });
    expect(response.opt === undefined).toBe(edns === undefined);
  });
});
