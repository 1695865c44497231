import { describe, expect, it } from '@jest/globals';

import { describeAnswers, QUERY_FORMS, useServer } from '../support/cases.js';
import { buildQuery, buildQuestion } from '../support/query.js';
import { SOA } from '../support/soa.js';

describeAnswers('RFC 4343, RFC 2181 s11: letters and other octets', [
  {
    rule: 'RFC 4343 s3: ASCII letters match in either case, and the question comes back as it was asked',
    question: 'wWw.CoRp.TeSt. A',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: 'wWw.CoRp.TeSt. 600 IN A 192.0.2.80',
  },
  {
    rule: 'RFC 4343 s3: other octets have no case: 0xC0 is not 0xE0',
    question: '\\192.corp.test. A',
    rcode: 'NXDOMAIN',
    flags: 'aa',
    authority: SOA.corp,
  },
  {
    rule: 'RFC 2181 s11: NUL is an octet like any other',
    question: 'www\\000.corp.test. A',
    rcode: 'NXDOMAIN',
    flags: 'aa',
    authority: SOA.corp,
  },
  {
    rule: 'RFC 2181 s11: so is 0xFF',
    question: '\\255\\254.corp.test. A',
    rcode: 'NXDOMAIN',
    flags: 'aa',
    authority: SOA.corp,
  },
  {
    rule: 'RFC 2181 s11: a quote and a space',
    question: 'w\\"w\\032w.corp.test. A',
    rcode: 'NXDOMAIN',
    flags: 'aa',
    authority: SOA.corp,
  },
  {
    rule: 'RFC 2181 s11: a dot inside a label does not end it',
    question: 'www\\.corp.test. A',
    rcode: 'REFUSED',
    flags: '',
  },
  {
    rule: 'RFC 2181 s11: a dot inside the first label',
    question: 'a\\.b.corp.test. A',
    rcode: 'NXDOMAIN',
    flags: 'aa',
    authority: SOA.corp,
  },
  {
    rule: 'RFC 2181 s11: a name with NUL in it is found',
    question: 'nul\\000nul.odd.test. A',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: 'nul\\000nul.odd.test. 300 IN A 192.0.2.1',
  },
  {
    rule: 'RFC 2181 s11: and one that is no UTF-8',
    question: '\\255\\254.odd.test. A',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: '\\255\\254.odd.test. 300 IN A 192.0.2.2',
  },
  {
    rule: 'RFC 2181 s11: and one with a dot in a label, which is another than that of two labels',
    question: 'a\\.b.odd.test. A',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: 'a\\.b.odd.test. 300 IN A 192.0.2.3',
  },
  {
    rule: 'RFC 2181 s11: and one with a quote',
    question: 'qu\\"ote.odd.test. A',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: 'qu\\"ote.odd.test. 300 IN A 192.0.2.4',
  },
]);

describe.each(QUERY_FORMS)('RFC 4343 s4.1: the question over %s', (_, transport, edns) => {
  const { exchange } = useServer();

  it.each([
    'wWw.CoRp.TeSt. A',
    'MISSING.corp.TEST. TYPE65280',
    'wWw.ElseWhere.INVALID. A',
    '\\000\\255\\192.\\224.Odd.test. AAAA',
  ])('is returned octet for octet (%s)', async (question) => {
    const query = buildQuery({ question, edns });
    const { octets } = await exchange(transport, query);
    const end = 12 + buildQuestion(question).length;
    expect(octets.subarray(12, end)).toEqual(query.subarray(12, end));
  });
});
