import { describe, expect, it } from '@jest/globals';

import { TRANSPORTS, useServer } from '../support/cases.js';
import type { Message } from '../support/message.js';
import { buildMessage, buildOpt } from '../support/query.js';

const COOKIE = 10;
const QUESTION = 'www.corp.test. A';
const CLIENT_COOKIE = Buffer.from('2464c4abcf10c957', 'hex');

function cookieOf(response: Message): Buffer | undefined {
  const option = response.opt?.options.find(({ code }) => code === COOKIE);
  return option && Buffer.from(option.data);
}

describe.each(TRANSPORTS)('RFC 7873 over %s', (transport) => {
  const { ask, exchange } = useServer();
  const withCookie = (data: Uint8Array) => ({ options: [{ code: COOKIE, data }] });

  it('s5.2.3: a client cookie is returned with a server cookie of 16 octets, version 1 (RFC 9018 s4)', async () => {
    const response = await ask(transport, { question: QUESTION, edns: withCookie(CLIENT_COOKIE) });
    expect(response.rcode).toBe('NOERROR');
    const cookie = cookieOf(response);
    expect(cookie).toHaveLength(24);
    expect(cookie?.subarray(0, 8)).toEqual(CLIENT_COOKIE);
    expect(cookie?.subarray(8, 12).toString('hex')).toBe('01000000');
  });

  it('s5.2.5: the server cookie that the client received is accepted', async () => {
    const first = await ask(transport, { question: QUESTION, edns: withCookie(CLIENT_COOKIE) });
    const edns = withCookie(cookieOf(first) ?? Buffer.alloc(0));
    const second = await ask(transport, { question: QUESTION, edns });
    expect(second.rcode).toBe('NOERROR');
    expect(second.answers).toHaveLength(1);
  });

  it.each([8 + 8, 8 + 16, 8 + 32])(
    's5.2.4: a wrong server cookie (%i octets in total) gets a new one',
    async (length) => {
      const edns = withCookie(Buffer.concat([CLIENT_COOKIE, Buffer.alloc(length - 8, 0xaa)]));
      const response = await ask(transport, { question: QUESTION, edns });
      expect(response.rcode).toBe('NOERROR');
      expect(cookieOf(response)).toHaveLength(24);
    },
  );

  it.each([0, 1, 7, 9, 15, 41])('s5.2.2: a COOKIE of %i octets is FORMERR', async (length) => {
    const edns = withCookie(Buffer.alloc(length, 0x77));
    const response = await ask(transport, { question: QUESTION, edns });
    expect(response).toMatchObject({ rcode: 'FORMERR', answers: [] });
  });

  it('s5.4: a query without a question gets a server cookie', async () => {
    const query = buildMessage({ additionals: [buildOpt(withCookie(CLIENT_COOKIE))] });
    const response = await exchange(transport, query);
    expect(response).toMatchObject({ rcode: 'NOERROR', questions: [], answers: [] });
    expect(cookieOf(response)).toHaveLength(24);
  });

  it('s5.2: only the first of two cookies counts', async () => {
    const other = Buffer.alloc(8, 0x55);
    const options = [CLIENT_COOKIE, other].map((data) => ({ code: COOKIE, data }));
    const response = await ask(transport, { question: QUESTION, edns: { options } });
    expect(cookieOf(response)?.subarray(0, 8)).toEqual(CLIENT_COOKIE);
  });

  it.each(['missing.corp.test. A', 'www.elsewhere.invalid. A', 'large.big.test. TXT'])(
    's5.2: answers of every kind contain the cookie (%s)',
    async (question) => {
      const response = await ask(transport, { question, edns: withCookie(CLIENT_COOKIE) });
      expect(cookieOf(response)).toHaveLength(24);
    },
  );
});
