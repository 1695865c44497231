import { afterEach, describe, expect, it } from '@jest/globals';
import { nameToWire, rdataToWire, RR_TYPE } from '@zonewright/dns-records';
import { createLogger, ServiceError } from '@zonewright/service-kit';
import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { SignServer } from './sign-server.js';

const SECRET = 'a secret of more than thirty-two characters';
const ITEM = {
  owner: Buffer.from(nameToWire('www.example.')).toString('base64'),
  type: RR_TYPE.A,
  ttl: 300,
  rdatas: [Buffer.from(rdataToWire('A', '192.0.2.1', null)).toString('base64')],
};
const ZONE = randomUUID();
const REQUEST = { zoneId: ZONE, keys: 'version', items: [ITEM] };
const SIGNED = { signatures: [['AQI=']] };

type Sign = () => Promise<Uint8Array[][]>;

const signs: Sign = () => Promise.resolve([[Uint8Array.of(1, 2)]]);

let server: SignServer | undefined;
let port = 0;
afterEach(async () => {
  await server?.stop();
});

async function start({
  signKnown = signs,
  requireClock = () => Promise.resolve(),
}: {
  readonly signKnown?: Sign;
  readonly requireClock?: () => Promise<void>;
} = {}): Promise<void> {
  server = new SignServer({
    ...{ host: '127.0.0.1', port: 0, secret: SECRET, requireClock },
    ...{ signer: { signKnown }, log: createLogger('test', 'silent') },
  });
  port = await server.start();
}

interface Answer {
  readonly status: number | undefined;
  readonly connection: string | undefined;
  readonly body: unknown;
}

async function ask(
  body: unknown,
  { method = 'POST', path = '/sign', authorization = `Bearer ${SECRET}` } = {},
): Promise<Answer> {
  return await new Promise((resolve, reject) => {
    const connection = 'keep-alive';
    const headers = { connection, ...(authorization === '' ? {} : { authorization }) };
    const sent = httpRequest({ port, host: '127.0.0.1', method, path, headers, agent: false });
    sent.on('error', reject);
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const { connection } = response.headers;
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode, connection, body: JSON.parse(text) });
      });
    });
    sent.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  });
}

const refused = (status: number, error: string) => ({
  ...{ status, connection: 'close', body: { error: expect.stringContaining(error) } },
});

describe('SignServer', () => {
  it('signs with the keys that dns-api has seen, which each request names', async () => {
    await start();
    expect(await ask(REQUEST)).toMatchObject({ status: 200, body: SIGNED });
    const { keys: _keys, ...without } = REQUEST;
    expect(await ask(without)).toEqual(refused(400, 'keys must be a string'));
  });

  it.each([
    ['another secret', 'Bearer a secret of more than thirty-two character'],
    ['a longer one', `Bearer ${SECRET}s`],
    ['another scheme', `Basic ${SECRET}`],
    ['no secret', ''],
    ['an empty secret', 'Bearer '],
  ])('returns only 401 to %s', async (_, authorization) => {
    await start();
    expect(await ask(REQUEST, { authorization })).toEqual(
      refused(401, 'Authenticate with the secret'),
    );
    expect(await ask(REQUEST, { authorization, path: '/' })).toEqual(refused(401, 'Authenticate'));
  });

  it.each([
    ['another method', { method: 'PUT' }],
    ['another path', { path: '/sign/' }],
  ])('returns 404 to %s', async (_, change) => {
    await start();
    expect(await ask(REQUEST, change)).toEqual(refused(404, 'The only operation is POST /sign'));
  });

  it('reads up to 16 MiB of JSON', async () => {
    await start();
    const most = 16 * 1024 * 1024;
    const text = JSON.stringify(REQUEST);
    expect(await ask(text.padEnd(most))).toMatchObject({ status: 200, body: SIGNED });
    expect(await ask(text.padEnd(most + 1))).toEqual(refused(400, 'The body is too large.'));
    expect(await ask('{')).toEqual(refused(400, 'The body is not JSON.'));
  });

  it('each of several requests fails alone', async () => {
    let asked = 0;
    const signKnown: Sign = () => {
      asked += 1;
      if (asked === 2) throw new ServiceError('not-found', 'There is no signed zone.');
      if (asked === 3) throw new Error('of the inside');
      return signs();
    };
    await start({ signKnown });
    const { status, body } = await ask({ requests: [REQUEST, REQUEST, REQUEST, {}, REQUEST] });
    expect(status).toBe(200);
    expect(body).toEqual({
      answers: [
        SIGNED,
        { status: 404, error: 'There is no signed zone.' },
        { status: 500, error: 'Internal error.' },
        { status: 400, error: expect.stringContaining('zoneId') },
        SIGNED,
      ],
    });
  });

  it('reveals nothing about internal errors', async () => {
    await start({ signKnown: () => Promise.reject(new Error('of the inside')) });
    expect(await ask(REQUEST)).toEqual(refused(500, 'Internal error.'));
  });

  it('RFC 4035 s5.3.1: signs nothing while the clock is wrong', async () => {
    const error = new ServiceError('unavailable', 'The clocks differ.');
    await start({ requireClock: () => Promise.reject(error) });
    expect(await ask(REQUEST)).toEqual(refused(503, 'The clocks differ.'));
  });

  it('64 requests are signed at a time; further ones get 503, and the started ones complete', async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    let begun = 0;
    let allBegun = () => {};
    const full = new Promise<void>((resolve) => (allBegun = resolve));
    const signKnown: Sign = async () => {
      begun += 1;
      if (begun === 64) allBegun();
      await gate;
      return await signs();
    };
    await start({ signKnown });
    const first = Array.from({ length: 64 }, () => ask(REQUEST));
    await full;
    expect(await ask(REQUEST)).toEqual(refused(503, 'Too many concurrent requests'));
    const stopped = server!.stop();
    release();
    expect(await Promise.all(first)).toEqual(
      first.map(() => expect.objectContaining({ status: 200, body: SIGNED })),
    );
    await stopped;
  });

  it('accepts as many again when others have ended, successfully or not', async () => {
    await start();
    for (let turn = 0; turn < 65; turn += 1) await ask(turn % 2 === 0 ? REQUEST : '{');
    expect(await ask(REQUEST)).toMatchObject({ status: 200 });
  });

  it('can be stopped before it was started', async () => {
    const never = new SignServer({
      ...{ host: '127.0.0.1', port: 0, secret: SECRET, requireClock: () => Promise.resolve() },
      ...{ signer: { signKnown: signs }, log: createLogger('test', 'silent') },
    });
    await expect(never.stop()).resolves.toBeUndefined();
  });
});
