import { describeAnswers } from '../support/cases.js';
import { SOA } from '../support/soa.js';

describeAnswers('RFC 3597 s3: types and classes that are not known', [
  {
    rule: 'a type that nobody knows is NODATA at a name that exists',
    question: 'www.corp.test. TYPE65280',
    rcode: 'NOERROR',
    flags: 'aa',
    authority: SOA.corp,
  },
  {
    rule: 'and NXDOMAIN at one that does not',
    question: 'missing.corp.test. TYPE65280',
    rcode: 'NXDOMAIN',
    flags: 'aa',
    authority: SOA.corp,
  },
  {
    rule: 'a type that is known and not in the zone is NODATA',
    question: 'www.corp.test. HTTPS',
    rcode: 'NOERROR',
    flags: 'aa',
    authority: SOA.corp,
  },
  {
    rule: 'RFC 1035 s3.2.3: MAILB has been obsolete from the start and is a type like those',
    question: 'www.corp.test. MAILB',
    rcode: 'NOERROR',
    flags: 'aa',
    authority: SOA.corp,
  },
  {
    rule: 'a class that nobody knows is REFUSED',
    question: 'www.corp.test. CLASS4711 A',
    rcode: 'REFUSED',
    flags: '',
  },
  {
    rule: 'so is HESIOD',
    question: 'www.corp.test. CLASS4 A',
    rcode: 'REFUSED',
    flags: '',
  },
]);
