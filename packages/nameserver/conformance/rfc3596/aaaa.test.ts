import { describeAnswers } from '../support/cases.js';

describeAnswers('RFC 3596 s2.2: AAAA', [
  {
    rule: 'an address is sixteen octets, however it was written',
    question: 'forms.odd.test. AAAA',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: 'forms.odd.test. 300 IN AAAA 2001:db8::c000:201',
  },
]);
