import { describe, expect, it } from '@jest/globals';
import { signZone } from '../conformance/support/sign-zone.js';
import { parseZone } from '../conformance/support/zones.js';
import { InProcessServer } from './support/in-process-server.js';

const ZONE = 'sections.test.';
const APEX = '$TTL 600\n@ SOA ns host 1 7200 900 1209600 300\n@ NS ns.elsewhere.invalid.\n';

describe('Sections of an answer', () => {
  it('RFC 4035 s3.1.3.3: the proof of a wildcard CNAME that leads below a cut is before the glue', () => {
    const text = `${APEX}*.w CNAME www.cut\ncut NS ns.cut\nns.cut A 192.0.2.1\n`;
    const server = new InProcessServer([signZone(parseZone(ZONE, text))]);
    const edns = { isDnssecOk: true, payloadOctets: 1232 };
    const message = server.ask('UDP', { question: `x.w.${ZONE} A`, edns });
    const typesOf = (lines: readonly string[]) => lines.map((line) => line.split(' ')[3]);
    expect(typesOf(message.answers)).toEqual(['CNAME', 'RRSIG']);
    // The NSEC records belong to the delegation, which has no DS, and to the wildcard, before which the name would be.
    expect(typesOf(message.authorities)).toEqual(['NS', 'NSEC', 'RRSIG', 'NSEC', 'RRSIG']);
    expect(typesOf(message.additionals)).toEqual(['A']);
  });

  it('names of an RRset that did not fit are not targets of compression', () => {
    const long = 'a'.repeat(250);
    const text = `${APEX}svc HTTPS 1 t.deep.target
t.deep.target HTTPS 1 . key65400="${long}" key65401="${long}"
t.deep.target A 192.0.2.1
`;
    const server = new InProcessServer([parseZone(ZONE, text)]);
    const { additionals } = server.ask('UDP', { question: `svc.${ZONE} HTTPS` });
    expect(additionals).toEqual([`t.deep.target.${ZONE} 600 IN A 192.0.2.1`]);
  });
});
