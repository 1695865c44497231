import { describeAnswers } from '../support/cases.js';

describeAnswers('RFC 1035 s3.3.14: TXT', [
  {
    rule: 'the strings of a record stay apart and in their order',
    question: 'long-text.corp.test. TXT',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: `long-text.corp.test. 600 IN TXT "${'0123456789'.repeat(10)}" "second" "third"`,
  },
  {
    rule: 'a string has 0 to 255 octets',
    question: 'strings.odd.test. TXT',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: `strings.odd.test. 300 IN TXT "" "a" "${'0123456789'.repeat(25)}01234"`,
  },
]);
