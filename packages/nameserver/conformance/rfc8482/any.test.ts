import { describe, expect, it } from '@jest/globals';

import { QUERY_FORMS, useServer } from '../support/cases.js';

describe.each(QUERY_FORMS)('RFC 8482: ANY over %s', (_, transport, edns) => {
  const { ask } = useServer();
  const isUdp = transport !== 'TCP';

  it('s4.1, s4.4: is answered with one RRset over UDP, and with all over TCP', async () => {
    const response = await ask(transport, { question: 'www.corp.test. ANY', edns });
    expect(response).toMatchObject({ rcode: 'NOERROR', flags: 'aa', authorities: [] });
    const a = 'www.corp.test. 600 IN A 192.0.2.80';
    const aaaa = 'www.corp.test. 600 IN AAAA 2001:db8::80';
    expect(response.answers.toSorted()).toEqual(isUdp ? [a] : [a, aaaa]);
  });

  it.each(['corp.test. ANY', 'any.wild.corp.test. ANY', 'b.corp.test. ANY'])(
    's4: is never REFUSED for a name in our zones (%s)',
    async (question) => {
      expect((await ask(transport, { question, edns })).rcode).toBe('NOERROR');
    },
  );
});
