import { expect, it } from '@jest/globals';
import type { AuthorizedClient } from '@zonewright/service-kit';
import { TsigClient } from './tsig-client.js';

const MOST = 32;

it('a message of another network or tenant is in the next call, however many wait', async () => {
  const calls: { readonly sources: string[]; readonly answer: () => void }[] = [];
  const client = {
    call: async ({ body }: { body: unknown }) => {
      const { requests } = (
        body as { tsig: { requests: { source: string; tenant_id?: string }[] } }
      ).tsig;
      const sources = requests.map(({ source, tenant_id: tenant = '' }) => `${source} ${tenant}`);
      await new Promise<void>((answer) => calls.push({ sources, answer }));
      const results = requests.map(() => ({ fault: 'BADKEY' }));
      return { status: 200, body: { results, tokens: [] } };
    },
  } as unknown as AuthorizedClient;
  const tsig = new TsigClient(client, ['dns']);
  const send = (source: string, tenantId: string) =>
    tsig.check({ message: new Uint8Array(1), answer: new Uint8Array(1), source, tenantId });
  const flood = Array.from({ length: 200 }, () => send('192.0.2.1', 'a'));
  const honest = [send('198.51.100.1', 'a'), send('192.0.2.1', 'b')];
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  await turn();
  // The first two calls were made before the honest messages came.
  while (calls.length < 2) await turn();
  expect(calls.map(({ sources }) => sources.length)).toEqual([MOST, MOST]);
  for (const { answer } of calls) answer();
  while (calls.length < 4) await turn();
  const seen = calls.flatMap(({ sources }) => sources);
  expect(seen).toContain('198.51.100.1 a');
  expect(seen).toContain('192.0.2.1 b');
  for (let at = 2; at < calls.length; at += 1) {
    calls[at]?.answer();
    await turn();
    await turn();
  }
  expect(await Promise.all([...flood, ...honest])).toHaveLength(202);
});
