import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { SignerClient } from '../src/access/signer-client.js';

/** The bodies that the signer has received, in order. */
const got: Record<string, unknown>[] = [];
/** Responses wait for this promise. */
let open: Promise<unknown> = Promise.resolve();

const signatureFor = (request: unknown) => ({
  signatures: [[Buffer.from((request as { zoneId: string }).zoneId).toString('base64')]],
});

const server = createServer((request, response) => {
  void (async () => {
    const body = (await json(request)) as Record<string, unknown>;
    got.push(body);
    await open;
    const { requests } = body;
    if (Array.isArray(requests)) {
      response.end(JSON.stringify({ answers: requests.map(answer) }));
      return;
    }
    response.end(JSON.stringify(signatureFor(body)));
  })();
});

function answer(request: { zoneId: string }): object {
  return request.zoneId === 'unknown' ? { status: 404, error: 'no' } : signatureFor(request);
}

let client: SignerClient;
beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  client = new SignerClient({ url: `http://127.0.0.1:${port}`, secret: 's', tracing: undefined });
});
beforeEach(() => {
  got.splice(0);
});
afterAll(() => {
  client.close();
  server.close();
});

const RRSET = { type: 1, ttl: 300, rdatas: [Buffer.of(192, 0, 2, 1)] };
const item = { owner: Buffer.of(0), rrset: RRSET };

async function sign(id: string, count = 1): Promise<string> {
  const [[signature] = []] = await client.sign(
    { id, keyVersion: 'v' },
    Array.from({ length: count }, () => item),
  );
  return Buffer.from(signature ?? []).toString();
}

it('changes that arrive while others are signed share a request, and each gets its own response', async () => {
  let answerNow: (value?: unknown) => void = () => undefined;
  open = new Promise((resolve) => {
    answerNow = resolve;
  });
  const ids = Array.from({ length: 20 }, (_, at) => `zone-${at}`);
  const signed = ids.map(async (id) => {
    // The requests are sent one after the other, in different turns of the event loop.
    for (let turn = 0; turn < ids.indexOf(id); turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    return await sign(id);
  });
  const refused = sign('unknown');
  refused.catch(() => undefined);
  while (got.length < 2) await new Promise((resolve) => setImmediate(resolve));
  answerNow();
  expect(await Promise.all(signed)).toEqual(ids);
  await expect(refused).rejects.toMatchObject({ kind: 'unavailable' });
  expect(got.length).toBeLessThan(ids.length);
});

it('a request with many records is sent alone', async () => {
  expect(await sign('large', 33)).toBe('large');
  expect(got).toEqual([expect.objectContaining({ zoneId: 'large', keys: 'v' })]);
});
