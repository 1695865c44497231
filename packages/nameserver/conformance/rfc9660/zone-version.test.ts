import { describe, expect, it } from '@jest/globals';

import { TRANSPORTS, useServer } from '../support/cases.js';
import { isOtherServer } from '../support/server.js';

const ZONEVERSION = 19;
const SOA_SERIAL = 0;
const EDNS = { options: [{ code: ZONEVERSION, data: Buffer.alloc(0) }] };
const describeOurs = isOtherServer ? describe.skip : describe;

/** The option for a zone: number of labels, type, serial (RFC 9660 s2). */
function version(labels: number, serial: number): { code: number; data: Buffer } {
  return { code: ZONEVERSION, data: Buffer.from([labels, SOA_SERIAL, 0, 0, 0, serial]) };
}

describeOurs.each(TRANSPORTS)('RFC 9660 s3.2: ZONEVERSION over %s', (transport) => {
  const { ask } = useServer();

  it.each([
    ['an answer', 'www.corp.test. A', 'NOERROR', version(2, 7)],
    ['NODATA', 'www.corp.test. MX', 'NOERROR', version(2, 7)],
    ['NXDOMAIN', 'missing.corp.test. A', 'NXDOMAIN', version(2, 7)],
    ['a referral', 'host.delegated.corp.test. A', 'NOERROR', version(2, 7)],
    ['the nearest zone, below another of ours', 'www.child.corp.test. A', 'NOERROR', version(3, 3)],
    ['a DS, which is in the parent', 'child.corp.test. DS', 'NOERROR', version(2, 7)],
    ['the zone of the question, not of a target', 'partner.corp.test. A', 'NOERROR', version(2, 7)],
  ])('is sent with %s', async (_title, question, rcode, expected) => {
    const response = await ask(transport, { question, edns: EDNS });
    expect(response.rcode).toBe(rcode);
    expect(response.opt?.options).toEqual([expected]);
  });

  it.each([
    ['a name outside of our zones', 'www.elsewhere.invalid. A', 'REFUSED'],
    ['a refused transfer', 'corp.test. AXFR', 'REFUSED'],
    ['a text about the server', 'id.server. CH TXT', 'NOERROR'],
  ])('is not sent with %s', async (_title, question, rcode) => {
    const response = await ask(transport, { question, edns: EDNS });
    expect(response.rcode).toBe(rcode);
    const codes = response.opt?.options.map(({ code }) => code);
    expect(codes).not.toContain(ZONEVERSION);
  });

  it('is not sent to a client that does not ask for it', async () => {
    const response = await ask(transport, { question: 'www.corp.test. A', edns: {} });
    expect(response.opt?.options).toEqual([]);
  });

  it('is sent with a truncated answer, for which room is kept', async () => {
    const response = await ask(transport, { question: 'large.big.test. TXT', edns: EDNS });
    expect(response.flags).toBe(transport === 'TCP' ? 'aa' : 'aa tc');
    expect(response.opt?.options).toEqual([version(2, 1)]);
  });
});
