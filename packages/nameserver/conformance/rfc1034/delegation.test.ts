import { describeAnswers } from '../support/cases.js';
import { SOA } from '../support/soa.js';

const REFERRAL = {
  rcode: 'NOERROR',
  flags: '',
  authority: `delegated.corp.test. 600 IN NS ns1.delegated.corp.test.
              delegated.corp.test. 600 IN NS ns.elsewhere.invalid.
              delegated.corp.test. 600 IN NS ns1.sibling.corp.test.`,
  additional: `ns1.delegated.corp.test. 600 IN A 192.0.2.53
               ns1.delegated.corp.test. 600 IN AAAA 2001:db8::53
               ns1.sibling.corp.test. 600 IN A 192.0.2.55`,
};

describeAnswers('RFC 1034 s4.2.1, s4.3.2 step 3b: delegations', [
  {
    rule: 'a name below a cut gets the NS of the cut and their addresses, without AA',
    question: 'www.delegated.corp.test. A',
    ...REFERRAL,
  },
  { rule: 'so does the cut itself', question: 'delegated.corp.test. A', ...REFERRAL },
  { rule: 'also when its NS are asked for', question: 'delegated.corp.test. NS', ...REFERRAL },
  { rule: 'and when all is asked for', question: 'delegated.corp.test. ANY', ...REFERRAL },
  {
    rule: 's4.2.1: glue is not answered as data',
    question: 'ns1.delegated.corp.test. A',
    ...REFERRAL,
  },
  {
    rule: 'a cut below a cut is hidden by the higher one',
    question: 'host.nested.delegated.corp.test. A',
    ...REFERRAL,
  },
  {
    rule: 'a nameserver that has the name of the cut gets its address along',
    question: 'www.self-named.corp.test. A',
    rcode: 'NOERROR',
    flags: '',
    authority: 'self-named.corp.test. 600 IN NS self-named.corp.test.',
    additional: 'self-named.corp.test. 600 IN A 192.0.2.57',
  },
  {
    rule: 'RFC 4035 s3.1.4.1: DS at a cut is answered by the parent',
    question: 'delegated.corp.test. DS',
    rcode: 'NOERROR',
    flags: 'aa',
    authority: SOA.corp,
  },
  {
    rule: 'RFC 4035 s3.1.4.1: by the parent also if the child is served here too',
    question: 'child.corp.test. DS',
    rcode: 'NOERROR',
    flags: 'aa',
    authority: SOA.corp,
  },
  {
    rule: 'RFC 4035 s3.1.4.1: by the child if the parent is elsewhere',
    question: 'corp.test. DS',
    rcode: 'NOERROR',
    flags: 'aa',
    authority: SOA.corp,
  },
  {
    rule: 'DS below a cut is a referral like any other',
    question: 'www.delegated.corp.test. DS',
    ...REFERRAL,
  },
  {
    rule: 'RFC 2181 s5.4.1: glue is no additional data of MX',
    question: 'mx-below-cut.corp.test. MX',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: 'mx-below-cut.corp.test. 600 IN MX 10 glue.delegated.corp.test.',
  },
]);
