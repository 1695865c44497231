import { describeAnswers } from '../support/cases.js';
import { SOA } from '../support/soa.js';

describeAnswers('RFC 1034 s4.3.2 step 2: the nearest enclosing zone answers', [
  {
    rule: 'data of a zone',
    question: 'www.corp.test. A',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: 'www.corp.test. 600 IN A 192.0.2.80',
  },
  {
    rule: 'a child that is served here too answers itself, its parent does not refer to it',
    question: 'www.child.corp.test. A',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: 'www.child.corp.test. 900 IN A 192.0.2.180',
  },
  {
    rule: "a name missing in the child gets the child's SOA",
    question: 'missing.child.corp.test. A',
    rcode: 'NXDOMAIN',
    flags: 'aa',
    authority: SOA.child,
  },
  {
    rule: "the child's apex is the child's",
    question: 'child.corp.test. NS',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: 'child.corp.test. 900 IN NS ns1-1.servers.test.',
    additional: `ns1-1.servers.test. 3600 IN A 192.0.2.11
                 ns1-1.servers.test. 3600 IN AAAA 2001:db8::11`,
  },
  {
    rule: 'a name outside all zones is REFUSED, without data and without AA',
    question: 'www.elsewhere.invalid. A',
    rcode: 'REFUSED',
    flags: '',
  },
  {
    rule: 'a name above a zone is outside',
    question: 'test. SOA',
    rcode: 'REFUSED',
    flags: '',
  },
  {
    rule: 'a name that only ends with the same letters is outside',
    question: 'notcorp.test. A',
    rcode: 'REFUSED',
    flags: '',
  },
  {
    rule: 'the root is outside',
    question: '. NS',
    rcode: 'REFUSED',
    flags: '',
  },
]);
