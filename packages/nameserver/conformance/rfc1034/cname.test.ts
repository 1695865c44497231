import { describeAnswers, describeOurAnswers } from '../support/cases.js';
import { SOA } from '../support/soa.js';

describeAnswers('RFC 1034 s4.3.2 step 3a, s3.6.2: CNAME', [
  {
    rule: 'a CNAME is followed to its target',
    question: 'alias.corp.test. A',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: `alias.corp.test. 600 IN CNAME www.corp.test.
             www.corp.test. 600 IN A 192.0.2.80`,
  },
  {
    rule: 'a chain is followed to its end',
    question: 'alias2.corp.test. AAAA',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: `alias2.corp.test. 600 IN CNAME alias.corp.test.
             alias.corp.test. 600 IN CNAME www.corp.test.
             www.corp.test. 600 IN AAAA 2001:db8::80`,
  },
  {
    rule: 'a chain leads into other zones that are served here',
    question: 'partner.corp.test. A',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: `partner.corp.test. 600 IN CNAME www.partner.test.
             www.partner.test. 60 IN A 192.0.2.200`,
  },
  {
    rule: 'and back again',
    question: 'back.partner.test. A',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: `back.partner.test. 60 IN CNAME www.corp.test.
             www.corp.test. 600 IN A 192.0.2.80`,
  },
  {
    rule: 'a target elsewhere is left to the resolver',
    question: 'outside.corp.test. A',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: 'outside.corp.test. 600 IN CNAME www.elsewhere.invalid.',
  },
  {
    rule: 's3.6.2: a question for CNAME is answered with it and not followed',
    question: 'alias2.corp.test. CNAME',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: 'alias2.corp.test. 600 IN CNAME alias.corp.test.',
  },
  {
    rule: 's3.6.2: a question for ANY is not followed either',
    question: 'alias2.corp.test. ANY',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: 'alias2.corp.test. 600 IN CNAME alias.corp.test.',
  },
  {
    rule: 's3.6.2: a loop ends with each record once',
    question: 'loop-a.corp.test. A',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: `loop-a.corp.test. 600 IN CNAME loop-b.corp.test.
             loop-b.corp.test. 600 IN CNAME loop-a.corp.test.`,
  },
  {
    rule: 's3.6.2: a name that is its own alias',
    question: 'self.corp.test. A',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: 'self.corp.test. 600 IN CNAME self.corp.test.',
  },
  {
    rule: "s3.6.2: a wildcard's alias into itself is followed once more, as its target's own",
    question: 'any.wildself.corp.test. A',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: `any.wildself.corp.test. 600 IN CNAME one.wildself.corp.test.
             one.wildself.corp.test. 600 IN CNAME one.wildself.corp.test.`,
  },
  {
    rule: 's3.6.2: a loop over a wildcard',
    question: 'any.wildloop.corp.test. A',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: `any.wildloop.corp.test. 600 IN CNAME back-loop.corp.test.
             back-loop.corp.test. 600 IN CNAME two.wildloop.corp.test.
             two.wildloop.corp.test. 600 IN CNAME back-loop.corp.test.`,
  },
  {
    rule: 'a target below a cut: the CNAME with AA, and the referral',
    question: 'into-cut.corp.test. A',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: 'into-cut.corp.test. 600 IN CNAME host.delegated.corp.test.',
    authority: `delegated.corp.test. 600 IN NS ns1.delegated.corp.test.
                delegated.corp.test. 600 IN NS ns.elsewhere.invalid.
                delegated.corp.test. 600 IN NS ns1.sibling.corp.test.`,
    additional: `ns1.delegated.corp.test. 600 IN A 192.0.2.53
                 ns1.delegated.corp.test. 600 IN AAAA 2001:db8::53
                 ns1.sibling.corp.test. 600 IN A 192.0.2.55`,
  },
]);

describeAnswers('RFC 6604 s3, RFC 2308 s2.1: the end of the chain decides rcode and SOA', [
  {
    rule: 'RFC 6604 s3: a missing target is NXDOMAIN',
    question: 'dangling.corp.test. A',
    rcode: 'NXDOMAIN',
    flags: 'aa',
    answer: 'dangling.corp.test. 600 IN CNAME missing.corp.test.',
    authority: SOA.corp,
  },
  {
    rule: "RFC 2308 s2.1: the SOA is that of the target's zone",
    question: 'partner-dangling.corp.test. A',
    rcode: 'NXDOMAIN',
    flags: 'aa',
    answer: 'partner-dangling.corp.test. 600 IN CNAME missing.partner.test.',
    authority: SOA.partner,
  },
  {
    rule: 'RFC 2308 s2.2: a target without the type is NODATA',
    question: 'nodata-alias.corp.test. TXT',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: 'nodata-alias.corp.test. 600 IN CNAME mail.corp.test.',
    authority: SOA.corp,
  },
  {
    rule: 'RFC 4592 s2.2.2: a target that is an empty non-terminal is NODATA',
    question: 'ent-alias.corp.test. A',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: 'ent-alias.corp.test. 600 IN CNAME b.corp.test.',
    authority: SOA.corp,
  },
]);

const FIRST_SIXTEEN = Array.from(
  { length: 16 },
  (_, i) => `c${i}.odd.test. 300 IN CNAME c${i + 1}.odd.test.`,
);

describeOurAnswers('RFC 1034 s3.6.2: how far a chain is followed', [
  {
    rule: 'our choice: for sixteen steps; the resolver goes on from there',
    question: 'c0.odd.test. A',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: FIRST_SIXTEEN.join('\n'),
  },
]);

describeOurAnswers('RFC 2181 s5: no record twice, also where a wildcard leads to itself', [
  {
    rule: 'the alias of a wildcard into itself, asked for by the name of its target',
    question: 'one.wildself.corp.test. A',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: 'one.wildself.corp.test. 600 IN CNAME one.wildself.corp.test.',
  },
]);
