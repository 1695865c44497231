import { describeAnswers } from '../support/cases.js';
import { SOA } from '../support/soa.js';

describeAnswers('RFC 2308: negative answers', [
  {
    rule: 's2.1, s3: NXDOMAIN carries the SOA, and no NS, in authority',
    question: 'missing.corp.test. A',
    rcode: 'NXDOMAIN',
    flags: 'aa',
    authority: SOA.corp,
  },
  {
    rule: 's2.2, s3: so does NODATA',
    question: 'www.corp.test. MX',
    rcode: 'NOERROR',
    flags: 'aa',
    authority: SOA.corp,
  },
  {
    rule: 's5: the TTL of that SOA is its MINIMUM, if that is lower than its own TTL',
    question: 'www.partner.test. TXT',
    rcode: 'NOERROR',
    flags: 'aa',
    authority: SOA.partner,
  },
  {
    rule: 's5: it is its own TTL, if that is lower than its MINIMUM',
    question: 'missing.odd.test. A',
    rcode: 'NXDOMAIN',
    flags: 'aa',
    authority: SOA.odd,
  },
  {
    rule: "s5: the SOA's own TTL stays when the SOA is asked for",
    question: 'partner.test. SOA',
    rcode: 'NOERROR',
    flags: 'aa',
    answer:
      'partner.test. 60 IN SOA ns1-1.servers.test. hostmaster.partner.test. 9 14400 3600 1209600 30',
  },
  {
    rule: 'RFC 8020 s2: a name that only has names below it exists',
    question: 'b.corp.test. A',
    rcode: 'NOERROR',
    flags: 'aa',
    authority: SOA.corp,
  },
  {
    rule: 'RFC 8020 s2: at every depth',
    question: 'than.this.corp.test. MX',
    rcode: 'NOERROR',
    flags: 'aa',
    authority: SOA.corp,
  },
  {
    rule: 'RFC 8020 s2: beside it there is nothing',
    question: 'more.than.this.corp.test. MX',
    rcode: 'NXDOMAIN',
    flags: 'aa',
    authority: SOA.corp,
  },
  {
    rule: 'RFC 8482: NODATA also for ANY at a name that has names below it only',
    question: 'b.corp.test. ANY',
    rcode: 'NOERROR',
    flags: 'aa',
    authority: SOA.corp,
  },
]);
