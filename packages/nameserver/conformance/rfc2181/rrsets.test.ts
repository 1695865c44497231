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
]);
