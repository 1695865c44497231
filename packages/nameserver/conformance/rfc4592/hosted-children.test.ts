import { describeAnswers } from '../support/cases.js';
import { SOA } from '../support/soa.js';

describeAnswers('RFC 4592 s2.2.2, RFC 8020 s2: a hosted zone makes the names above it exist', [
  {
    rule: 'between a hosted zone and its hosted parent: an empty non-terminal',
    question: 'between.open.corp.test. A',
    rcode: 'NOERROR',
    flags: 'aa',
    authority: SOA.corp,
  },
  {
    rule: "it is not covered by the parent's wildcard, nor is what is below it",
    question: 'other.between.open.corp.test. A',
    rcode: 'NXDOMAIN',
    flags: 'aa',
    authority: SOA.corp,
  },
  {
    rule: 'the wildcard covers what is beside it',
    question: 'beside.open.corp.test. A',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: 'beside.open.corp.test. 600 IN A 192.0.2.96',
  },
  {
    rule: 'the child answers itself',
    question: 'www.a.between.open.corp.test. A',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: 'www.a.between.open.corp.test. 900 IN A 192.0.2.181',
  },
  {
    rule: "RFC 4035 s3.1.4.1: DS at its apex is the parent's, which need not delegate it",
    question: 'a.between.open.corp.test. DS',
    rcode: 'NOERROR',
    flags: 'aa',
    authority: SOA.corp,
  },
]);
