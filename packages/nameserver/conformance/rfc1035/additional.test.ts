import { describeAnswers } from '../support/cases.js';

describeAnswers('RFC 1035 s3.3: additional data', [
  {
    rule: 's3.3.9: addresses of mail hosts in our zones, of this and of others',
    question: 'corp.test. MX',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: `corp.test. 600 IN MX 10 mail.corp.test.
             corp.test. 600 IN MX 20 mail.partner.test.`,
    additional: `mail.corp.test. 600 IN A 192.0.2.25
                 mail.corp.test. 600 IN AAAA 2001:db8::25
                 mail.partner.test. 60 IN A 192.0.2.225`,
  },
  {
    rule: 's3.3.11: addresses of the nameservers',
    question: 'corp.test. NS',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: `corp.test. 600 IN NS ns1-1.servers.test.
             corp.test. 600 IN NS ns1-2.servers.test.`,
    additional: `ns1-1.servers.test. 3600 IN A 192.0.2.11
                 ns1-1.servers.test. 3600 IN AAAA 2001:db8::11
                 ns1-2.servers.test. 3600 IN A 192.0.2.12
                 ns1-2.servers.test. 3600 IN AAAA 2001:db8::12`,
  },
  {
    rule: 'none for A',
    question: 'multi.corp.test. A',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: `multi.corp.test. 600 IN A 192.0.2.1
             multi.corp.test. 600 IN A 192.0.2.2
             multi.corp.test. 600 IN A 192.0.2.3`,
  },
]);
