import { describeOurAnswers } from '../support/cases.js';

describeOurAnswers('RFC 3403 s4.1: what goes along with NAPTR', [
  {
    rule: 'services and addresses at the replacements in our zones; the replacement is never compressed',
    question: 'naptr.types.test. NAPTR',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: `naptr.types.test. 600 IN NAPTR 100 10 "S" "SIP+D2U" "" _sip._udp.types.test.
             naptr.types.test. 600 IN NAPTR 100 20 "A" "SIP+D2T" "" host.types.test.
             naptr.types.test. 600 IN NAPTR 100 30 "U" "E2U+sip" "!^.*$!sip:info@types.test!" .`,
    additional: `_sip._udp.types.test. 600 IN SRV 0 5 5060 host.types.test.
                 host.types.test. 600 IN A 192.0.2.70
                 host.types.test. 600 IN AAAA 2001:db8::70`,
  },
]);
