import { RR_TYPE } from '@zonewright/dns-records';
import { describe, expect, it } from '@jest/globals';

import { TRANSPORTS, useServer } from '../support/cases.js';
import { buildMessage, buildOpt, buildQuestion, buildRecord } from '../support/query.js';

const QUESTION = 'www.corp.test. A';
const UNKNOWN_OPTION = { code: 65_001, data: Buffer.from('hello') };

describe.each(TRANSPORTS)('RFC 6891 over %s', (transport) => {
  const { ask, exchange } = useServer();

  it('s7: a query without OPT gets an answer without OPT', async () => {
    const response = await ask(transport, { question: QUESTION });
    expect(response.opt).toBeUndefined();
  });

  it('s7: a query with OPT gets an answer with OPT, version 0', async () => {
    const response = await ask(transport, { question: QUESTION, edns: {} });
    expect(response.opt).toEqual({ version: 0, payloadOctets: 1232, flags: 0, options: [] });
  });

  it.each([
    ['REFUSED', 'www.elsewhere.invalid. A'],
    ['NXDOMAIN', 'missing.corp.test. A'],
    ['NOTAUTH', 'www.corp.test. AXFR'],
  ])('s7: also if it contains %s', async (rcode, question) => {
    const response = await ask(transport, { question, edns: {} });
    expect(response.rcode).toBe(rcode);
    expect(response.opt).toBeDefined();
  });

  it('s6.1.3: an unknown version gets BADVERS, no data, and the supported version', async () => {
    const response = await ask(transport, { question: QUESTION, edns: { version: 1 } });
    expect(response).toMatchObject({ rcode: 'BADVERS', flags: '', answers: [], authorities: [] });
    expect(response.opt?.version).toBe(0);
  });

  it('s6.1.3: options of an unknown version are not read', async () => {
    const options = [{ code: 10, data: Buffer.alloc(3) }];
    const response = await ask(transport, { question: QUESTION, edns: { version: 1, options } });
    expect(response.rcode).toBe('BADVERS');
    expect(response.opt?.options).toEqual([]);
  });

  it('s6.1.2: unknown options are ignored and not returned', async () => {
    const edns = { options: [UNKNOWN_OPTION, UNKNOWN_OPTION] };
    const response = await ask(transport, { question: QUESTION, edns });
    expect(response).toMatchObject({ rcode: 'NOERROR', opt: { options: [] } });
    expect(response.answers).toHaveLength(1);
  });

  it('s6.1.4, RFC 3225 s3: DO is returned, other flags are not', async () => {
    const response = await ask(transport, {
      question: QUESTION,
      edns: { isDnssecOk: true, flags: 0x7fff },
    });
    expect(response.rcode).toBe('NOERROR');
    expect(response.opt?.flags).toBe(0x8000);
  });

  it('s6.1.1: two OPT are FORMERR', async () => {
    const opt = buildOpt({});
    const query = buildMessage({ questions: [buildQuestion(QUESTION)], additionals: [opt, opt] });
    const response = await exchange(transport, query);
    expect(response).toMatchObject({ rcode: 'FORMERR', answers: [] });
    expect(response.opt).toBeDefined();
  });

  it('s6.1.2: OPT whose owner is not the root is FORMERR', async () => {
    const opt = buildRecord('corp.test.', RR_TYPE.OPT, 1232, 0, Buffer.alloc(0));
    const query = buildMessage({ questions: [buildQuestion(QUESTION)], additionals: [opt] });
    expect((await exchange(transport, query)).rcode).toBe('FORMERR');
  });

  it.each([
    ['a code without a length', '00 03'],
    ['a length without data', '00 03 00 05 61'],
    ['octets after the last option', '00 03 00 00 ff'],
  ])('s6.1.2: %s is FORMERR', async (_, hex) => {
    const rdata = Buffer.from(hex.replaceAll(' ', ''), 'hex');
    const opt = buildRecord('.', RR_TYPE.OPT, 1232, 0, rdata);
    const query = buildMessage({ questions: [buildQuestion(QUESTION)], additionals: [opt] });
    const response = await exchange(transport, query);
    expect(response).toMatchObject({ rcode: 'FORMERR', questions: [QUESTION], answers: [] });
    expect(response.opt).toBeDefined();
  });

  it('s6.1.1: OPT may be anywhere among the additional records', async () => {
    const other = buildRecord('other.test.', RR_TYPE.A, 1, 0, Buffer.from([192, 0, 2, 1]));
    const query = buildMessage({
      questions: [buildQuestion(QUESTION)],
      additionals: [other, buildOpt({}), other],
    });
    const response = await exchange(transport, query);
    expect(response.rcode).toBe('NOERROR');
    expect(response.opt).toBeDefined();
  });

  it.each([
    ['to the question', 'c00c'],
    ['to itself', 'c01f'],
    ['past the end', 'ffff'],
  ])(
    'our choice: an owner of another additional record may point anywhere (%s)',
    async (_, owner) => {
      const fixed = Buffer.from('00010001000000000004c0000201', 'hex');
      const other = Buffer.concat([Buffer.from(owner, 'hex'), fixed]);
      const query = buildMessage({
        questions: [buildQuestion(QUESTION)],
        additionals: [other, buildOpt({})],
      });
      const response = await exchange(transport, query);
      expect(response.rcode).toBe('NOERROR');
      expect(response.opt).toBeDefined();
    },
  );
});
