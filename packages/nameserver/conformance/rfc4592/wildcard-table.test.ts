import { describeAnswers } from '../support/cases.js';
import { SOA } from '../support/soa.js';

describeAnswers('RFC 4592 s2.2.1: the examples of the RFC', [
  {
    rule: 'the answer will be synthesized from the wildcard, with the owner of the question',
    question: 'host3.example. MX',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: 'host3.example. 3600 IN MX 10 host1.example.',
    additional: 'host1.example. 3600 IN A 192.0.2.1',
  },
  {
    rule: 'NODATA, because there is no A at the wildcard',
    question: 'host3.example. A',
    rcode: 'NOERROR',
    flags: 'aa',
    authority: SOA.example,
  },
  {
    rule: 'synthesized, though the name has more labels than the wildcard',
    question: 'foo.bar.example. TXT',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: 'foo.bar.example. 3600 IN TXT "this is a wildcard"',
  },
  {
    rule: 'no synthesis, because the name exists',
    question: 'host1.example. MX',
    rcode: 'NOERROR',
    flags: 'aa',
    authority: SOA.example,
  },
  {
    rule: 'no synthesis, because sub.*.example exists',
    question: 'sub.*.example. MX',
    rcode: 'NOERROR',
    flags: 'aa',
    authority: SOA.example,
  },
  {
    rule: 'no synthesis, because _tcp.host1.example exists without data',
    question: '_telnet._tcp.host1.example. SRV',
    rcode: 'NXDOMAIN',
    flags: 'aa',
    authority: SOA.example,
  },
  {
    rule: 'no synthesis below a cut, but a referral',
    question: 'host.subdel.example. A',
    rcode: 'NOERROR',
    flags: '',
    authority: `subdel.example. 3600 IN NS ns.example.com.
                subdel.example. 3600 IN NS ns.example.net.`,
  },
  {
    rule: 'no synthesis, because *.example is the closest encloser and has no wildcard child',
    question: 'ghost.*.example. MX',
    rcode: 'NXDOMAIN',
    flags: 'aa',
    authority: SOA.example,
  },
]);
