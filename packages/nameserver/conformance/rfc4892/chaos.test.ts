import { describeAnswers, describeOurAnswers } from '../support/cases.js';

describeOurAnswers('RFC 4892 s3: what the server says about itself', [
  {
    rule: 'id.server is the name of this one of the six',
    question: 'id.server. CH TXT',
    rcode: 'NOERROR',
    flags: '',
    answer: 'id.server. 0 CH TXT "ns1-1"',
  },
  {
    rule: 'hostname.bind is an older name for it',
    question: 'HOSTNAME.bind. CH TXT',
    rcode: 'NOERROR',
    flags: '',
    answer: 'HOSTNAME.bind. 0 CH TXT "ns1-1"',
  },
  {
    rule: 'version.bind is what the operator wants it to be',
    question: 'version.bind. CH TXT',
    rcode: 'NOERROR',
    flags: '',
    answer: 'version.bind. 0 CH TXT "conformance"',
  },
  {
    rule: 'version.server is another name for it',
    question: 'version.server. CH ANY',
    rcode: 'NOERROR',
    flags: '',
    answer: 'version.server. 0 CH TXT "conformance"',
  },
]);

describeAnswers('RFC 4892 s3: the rest of class CHAOS', [
  {
    rule: 'other types are REFUSED',
    question: 'version.bind. CH A',
    rcode: 'REFUSED',
    flags: '',
  },
  {
    rule: 'other names are REFUSED',
    question: 'authors.bind. CH TXT',
    rcode: 'REFUSED',
    flags: '',
  },
  {
    rule: 'names of our zones are REFUSED',
    question: 'www.corp.test. CH A',
    rcode: 'REFUSED',
    flags: '',
  },
  {
    rule: 'and in class IN version.bind is a name like any other',
    question: 'version.bind. TXT',
    rcode: 'REFUSED',
    flags: '',
  },
]);
