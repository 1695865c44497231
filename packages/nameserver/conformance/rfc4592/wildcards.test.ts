import { describeAnswers } from '../support/cases.js';
import { SOA } from '../support/soa.js';

describeAnswers('RFC 4592: wildcards beyond the table', [
  {
    rule: 's3.3.1: the owner takes the letters of the question',
    question: 'SomeThing.Wild.Corp.Test. A',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: 'SomeThing.Wild.Corp.Test. 600 IN A 192.0.2.99',
  },
  {
    rule: 's2.2.1: a name that exists is not covered by the wildcard beside it',
    question: 'known.wild.corp.test. TXT',
    rcode: 'NOERROR',
    flags: 'aa',
    authority: SOA.corp,
  },
  {
    rule: 's2.2.2: an empty non-terminal exists, so the wildcard beside it does not cover it',
    question: 'ent.wild.corp.test. A',
    rcode: 'NOERROR',
    flags: 'aa',
    authority: SOA.corp,
  },
  {
    rule: 's3.3.1: only the closest encloser has the source of synthesis; below an empty non-terminal there is none',
    question: 'other.ent.wild.corp.test. A',
    rcode: 'NXDOMAIN',
    flags: 'aa',
    authority: SOA.corp,
  },
  {
    rule: 's3.3.1: nothing is synthesized below a name that exists',
    question: 'below.known.wild.corp.test. A',
    rcode: 'NXDOMAIN',
    flags: 'aa',
    authority: SOA.corp,
  },
  {
    rule: 's2.2.2: a wildcard that only has names below it covers others, without data',
    question: 'any.hollow.corp.test. A',
    rcode: 'NOERROR',
    flags: 'aa',
    authority: SOA.corp,
  },
  {
    rule: 's2.1.1: the asterisk itself may be asked for',
    question: '*.wild.corp.test. A',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: '*.wild.corp.test. 600 IN A 192.0.2.99',
  },
  {
    rule: 's4.4: a wildcard CNAME is followed',
    question: 'any.wildalias.corp.test. A',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: `any.wildalias.corp.test. 600 IN CNAME www.corp.test.
             www.corp.test. 600 IN A 192.0.2.80`,
  },
  {
    rule: 's4.4: a wildcard CNAME is the answer when it is asked for',
    question: 'any.wildalias.corp.test. CNAME',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: 'any.wildalias.corp.test. 600 IN CNAME www.corp.test.',
  },
  {
    rule: 's3.3.3: additional data goes with a synthesized answer as with any other',
    question: 'any.wildmail.corp.test. MX',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: 'any.wildmail.corp.test. 600 IN MX 10 mail.corp.test.',
    additional: `mail.corp.test. 600 IN A 192.0.2.25
                 mail.corp.test. 600 IN AAAA 2001:db8::25`,
  },
  {
    rule: 's3.3.1: a wildcard below a cut is not ours to use',
    question: 'any.delegated.corp.test. A',
    rcode: 'NOERROR',
    flags: '',
    authority: `delegated.corp.test. 600 IN NS ns1.delegated.corp.test.
                delegated.corp.test. 600 IN NS ns.elsewhere.invalid.
                delegated.corp.test. 600 IN NS ns1.sibling.corp.test.`,
    additional: `ns1.delegated.corp.test. 600 IN A 192.0.2.53
                 ns1.delegated.corp.test. 600 IN AAAA 2001:db8::53
                 ns1.sibling.corp.test. 600 IN A 192.0.2.55`,
  },
  {
    rule: 's2.1.1: below an asterisk that is not the first label stands what was written there',
    question: '_sip._tcp.*.voice.corp.test. SRV',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: '_sip._tcp.*.voice.corp.test. 600 IN SRV 0 5 5060 sip.corp.test.',
    additional: 'sip.corp.test. 600 IN A 192.0.2.60',
  },
  {
    rule: 's2.2.2: which stands for no other name: the wildcard above it covers that, without data',
    question: '_sip._tcp.any.voice.corp.test. SRV',
    rcode: 'NOERROR',
    flags: 'aa',
    authority: SOA.corp,
  },
  {
    rule: 's4.5: an SRV record at a wildcard stands for services, however many labels they have',
    question: '_sips._tcp.any.phones.corp.test. SRV',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: '_sips._tcp.any.phones.corp.test. 600 IN SRV 0 5 5061 sip.corp.test.',
    additional: 'sip.corp.test. 600 IN A 192.0.2.60',
  },
]);
