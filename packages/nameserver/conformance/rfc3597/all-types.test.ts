import { describeAnswers } from '../support/cases.js';

const HASH = '0a'.repeat(32);

/** Each RRset of conformance/zones/types.test.zone whose answer has no additional records. */
const RRSETS: readonly [owner: string, type: string, ...data: string[]][] = [
  ['ptr', 'PTR', 'host.types.test.', 'my\\032printer._ipp._tcp.types.test.'],
  ['caa', 'CAA', '0 issue "ca.example.net"', '128 issuewild ";"'],
  ['_443._tcp', 'TLSA', `3 1 1 ${HASH}`],
  ['smimea', 'SMIMEA', '3 0 0 0a0b'],
  ['sshfp', 'SSHFP', `4 2 ${HASH}`],
  ['child', 'DS', `60485 13 2 ${HASH}`],
  ['dhcid', 'DHCID', 'AAIBY2/AuCccgoJbsaxcQc9TUapptP69lOjxfNuVAA2kjEA='],
  ['uri', 'URI', '10 1 "https://www.types.test/path"'],
  ['loc', 'LOC', '52 22 23.000 N 4 53 32.000 E -2.00m 0.00m 10000.00m 10.00m'],
  ['cert', 'CERT', '1 0 0 MIIBIjANBgkqhkiG'],
  ['openpgpkey', 'OPENPGPKEY', 'mQINBFit2ioBEADh'],
  ['hinfo', 'HINFO', '"ARM64" "Linux"'],
  ['rp', 'RP', 'admin.types.test. text.types.test.'],
  ['eui48', 'EUI48', '00-00-5e-00-53-2a'],
  ['eui64', 'EUI64', '00-00-5e-ef-10-00-00-2a'],
  ['spf', 'SPF', '"v=spf1 -all"'],
  ['type65280', 'TYPE65280', '\\# 4 0a000001'],
];

describeAnswers(
  'RFC 3597 s4: rdata of each type comes as it was written',
  RRSETS.map(([owner, type, ...data]) => ({
    rule: type,
    question: `${owner}.types.test. ${type}`,
    rcode: 'NOERROR',
    flags: 'aa',
    answer: data.map((each) => `${owner}.types.test. 600 IN ${type} ${each}`).join('\n'),
  })),
);

describeAnswers('RFC 1183 s1: AFSDB', [
  {
    rule: 'comes as it was written; addresses of the host are asked for',
    question: 'afsdb.types.test. AFSDB',
    rcode: 'NOERROR',
    flags: 'aa',
    answer: 'afsdb.types.test. 600 IN AFSDB 1 host.types.test.',
  },
]);
