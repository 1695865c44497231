import { describe, expect, it } from '@jest/globals';

import { useServer } from '../support/cases.js';

describe('RFC 8482: ANY', () => {
  const { ask } = useServer();

  it('s4.1: one RRset over UDP', async () => {
    const response = await ask('UDP', { question: 'www.corp.test. ANY' });
    expect(response).toMatchObject({ rcode: 'NOERROR', flags: 'aa', authorities: [] });
    expect(response.answers).toEqual(['www.corp.test. 600 IN A 192.0.2.80']);
  });

  it('s4.4: all over TCP', async () => {
    const response = await ask('TCP', { question: 'www.corp.test. ANY' });
    expect(response.answers.toSorted()).toEqual([
      'www.corp.test. 600 IN A 192.0.2.80',
      'www.corp.test. 600 IN AAAA 2001:db8::80',
    ]);
  });

  it.each(['UDP', 'TCP'] as const)('never REFUSED for a name of ours, over %s', async (over) => {
    for (const question of ['corp.test. ANY', 'any.wild.corp.test. ANY', 'b.corp.test. ANY']) {
      expect((await ask(over, { question })).rcode).toBe('NOERROR');
    }
  });
});
