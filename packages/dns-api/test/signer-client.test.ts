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

interface Question {
  readonly count?: number;
  readonly tenantId?: string;
  readonly rdata?: Buffer;
}

async function sign(
  id: string,
  { count = 1, tenantId = 't', rdata = Buffer.of(192, 0, 2, 1) }: Question = {},
): Promise<string> {
  const rrset = { type: 1, ttl: 300, rdatas: [rdata] };
  const [[signature] = []] = await client.sign(
    { id, tenantId, keyVersion: 'v' },
    Array.from({ length: count }, () => ({ owner: Buffer.of(0), rrset })),
  );
  return Buffer.from(signature ?? []).toString();
}

/** Asks while the signer answers nothing, and then lets it answer. @returns the zones of each message, sorted */
async function whileSignerWaits(ask: () => Promise<unknown>[]): Promise<string[][]> {
  let answerNow: (value?: unknown) => void = () => undefined;
  open = new Promise((resolve) => {
    answerNow = resolve;
  });
  const first = [sign('first')];
  while (got.length < 1) await new Promise((resolve) => setImmediate(resolve));
  first.push(sign('second'));
  while (got.length < 2) await new Promise((resolve) => setImmediate(resolve));
  const asked = ask();
  answerNow();
  await Promise.all([...first, ...asked]);
  const zonesOf = ({ requests }: Record<string, unknown>) =>
    (requests as { zoneId: string }[]).map(({ zoneId }) => zoneId);
  return got
    .slice(2)
    .map(zonesOf)
    .sort((one, other) => String(one[0]).localeCompare(String(other[0])));
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
  expect(await sign('large', { count: 33 })).toBe('large');
  expect(got).toEqual([expect.objectContaining({ zoneId: 'large', keys: 'v' })]);
});

it('tenants take turns in a message: one with many changes does not delay the others', async () => {
  const many = Array.from({ length: 100 }, (_, at) => `many-${at}`);
  const [message = []] = await whileSignerWaits(() => [
    ...many.map((id) => sign(id, { tenantId: 'many' })),
    sign('other', { tenantId: 'other' }),
  ]);
  expect(message).toHaveLength(64);
  expect(message.slice(0, 2)).toEqual(['many-0', 'other']);
});

it('a message has at most 1 MiB of rdata, unless one request has more', async () => {
  const long = (octets: number) => ({ count: 32, rdata: Buffer.alloc(octets / 32) });
  const messages = await whileSignerWaits(() => [
    sign('a', long(524_288)),
    sign('b', long(524_288)),
    sign('c', long(32)),
    sign('d', long(2_097_152)),
  ]);
  expect(messages).toEqual([['a', 'b'], ['c'], ['d']]);
});
