import { describeAnswers, describeOurAnswers } from '../support/cases.js';

describeAnswers('RFC 9460 s4.1: what goes along with SVCB and HTTPS', [
  {
    rule: 'an alias: the record of its own type and the addresses at the target',
    question: 'types.test. HTTPS',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: 'types.test. 600 IN HTTPS 0 www.types.test.',
    additional: `www.types.test. 600 IN HTTPS 1 . mandatory=alpn alpn=h2,h3
                 www.types.test. 600 IN A 192.0.2.71`,
  },
  {
    rule: 's2.5.2: "." stands for the owner, whose addresses go along',
    question: 'www.types.test. HTTPS',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: 'www.types.test. 600 IN HTTPS 1 . mandatory=alpn alpn=h2,h3',
    additional: 'www.types.test. 600 IN A 192.0.2.71',
  },
  {
    rule: 's2.2: the target is never compressed; addresses of one in our zones go along',
    question: '_dns.types.test. SVCB',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: `_dns.types.test. 600 IN SVCB 1 host.types.test. port=853 ipv4hint=192.0.2.70
             _dns.types.test. 600 IN SVCB 2 host.elsewhere.invalid. alpn=dot`,
    additional: `host.types.test. 600 IN A 192.0.2.70
                 host.types.test. 600 IN AAAA 2001:db8::70`,
  },
  {
    rule: 's2.5.1: an alias to "." leads nowhere',
    question: 'none.types.test. SVCB',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: 'none.types.test. 600 IN SVCB 0 .',
  },
  {
    rule: 'what a wildcard would give is left to be asked for',
    question: 'a.wild.types.test. HTTPS',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: 'a.wild.types.test. 600 IN HTTPS 1 .',
  },
]);

describeOurAnswers('RFC 9460 s2.2: the letters of a target', [
  {
    rule: 'our choice: they come as they were written',
    question: 'letters.types.test. SVCB',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: 'letters.types.test. 600 IN SVCB 1 Host.Elsewhere.invalid.',
  },
]);
