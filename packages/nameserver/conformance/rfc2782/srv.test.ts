import { describeAnswers } from '../support/cases.js';

describeAnswers('RFC 2782: SRV', [
  {
    rule: 'the addresses of targets in our zones go along',
    question: '_sip._tcp.corp.test. SRV',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: `_sip._tcp.corp.test. 600 IN SRV 0 5 5060 sip.corp.test.
             _sip._tcp.corp.test. 600 IN SRV 1 5 5060 sip.elsewhere.invalid.`,
    additional: 'sip.corp.test. 600 IN A 192.0.2.60',
  },
]);
