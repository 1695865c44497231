import { describeAnswers } from '../support/cases.js';
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
]);
