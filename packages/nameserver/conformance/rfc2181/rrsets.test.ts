import { describeAnswers } from '../support/cases.js';

describeAnswers('RFC 2181 s5: RRsets', [
  {
    rule: 's5.2: the records of an RRset have one TTL, the lowest',
    question: 'mixed.big.test. A',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: `mixed.big.test. 120 IN A 192.0.2.1
             mixed.big.test. 120 IN A 192.0.2.2`,
  },
  {
    rule: 's5: a record is there once',
    question: 'twice.big.test. A',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: 'twice.big.test. 300 IN A 192.0.2.1',
  },
  {
    rule: 's5, RFC 4343 s3: also if a name in its data is written with other letters',
    question: 'twins.odd.test. MX',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: 'twins.odd.test. 300 IN MX 10 mail.odd.test.',
  },
  {
    rule: 's8: a TTL may be 0',
    question: 'never.odd.test. A',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: 'never.odd.test. 0 IN A 192.0.2.6',
  },
  {
    rule: 's8: and 2^31-1',
    question: 'forever.odd.test. A',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: 'forever.odd.test. 2147483647 IN A 192.0.2.7',
  },
]);
