import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { waitFor } from '@zonewright/testkit';
import { connect, type Socket } from 'node:net';
import { call, faultOf, FORMATS, tokenOf } from './client.js';
import { type RunningIdentity, startIdentity, useIdentity } from './use-identity.js';

const identity = useIdentity();
let limited: RunningIdentity;
let token = '';

beforeAll(async () => {
  token = await tokenOf(identity.url, identity.world.user);
  const env = { RATE_LIMITS: 'true', RATE_LIMIT_AUTHENTICATE: '1', TRUST_PROXY: '1' };
  limited = await startIdentity(identity.databaseUrl, { env });
});
afterAll(() => limited.stop());

const LOGIN = '/v2.0/tokens';
const KEYS = '/v2.0/EXT-IDM/v1.0/accesskeys';

interface Dialled {
  readonly socket: Socket;
  received: string;
  failure: Error | undefined;
}

function dial(url: string, text: string): Dialled {
  const { port } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1');
  const dialled: Dialled = { socket, received: '', failure: undefined };
  socket.on('data', (chunk: Buffer) => (dialled.received += chunk.toString()));
  socket.on('error', (error) => (dialled.failure = error));
  socket.write(text);
  return dialled;
}

const head = (path: string, ...lines: string[]) =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    'Content-Type: application/json',
    ...lines,
    '',
    '',
  ].join('\r\n');
const statuses = ({ received }: Dialled) =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status);

const spaces = (length: number) => ' '.repeat(length);

describe('Bodies of log-ins (D-ACC)', () => {
  it.each(FORMATS)(
    'more than 16 KiB get 413, except for operations that allow more (%s)',
    async (format) => {
      const login = (padding: string) =>
        format === 'json' ? `{"auth":{}${padding}}` : `<auth>${padding}</auth>`;
      const send = async (path: string, body: string) =>
        await call(identity.url, {
          method: 'POST',
          path,
          token,
          accept: format,
          body,
          headers: { 'Content-Type': `application/${format}` },
        });
      expect((await send(LOGIN, login(spaces(16_000)))).status).toBe(400);
      for (const path of [LOGIN, '/v3/auth/tokens']) {
        const answer = await send(path, login(spaces(17_000)));
        expect(await faultOf(answer)).toMatchObject({
          root: path === LOGIN ? 'overLimit' : expect.anything(),
        });
        expect(answer.status).toBe(413);
      }
      expect((await send(KEYS, login(spaces(100_000)))).status).toBe(400);
    },
  );

  it.each([
    ['elements', `<auth>${'<a/>'.repeat(2_000)}</auth>`],
    ['attributes', `<auth ${Array.from({ length: 1_500 }, (_, n) => `a${n}=""`).join(' ')}/>`],
    ['comments', `<auth>${'<!---->'.repeat(2_000)}</auth>`],
  ])('an XML body of many %s is refused before it is parsed', async (_, body) => {
    const answer = await call(identity.url, { method: 'POST', path: LOGIN, body });
    expect(await faultOf(answer)).toMatchObject({
      code: 400,
      details: expect.stringMatching(/more than 512 tags and attributes/),
    });
  });

  it('a member with a token may send more of them, but no number', async () => {
    const send = async (count: number) =>
      await call(identity.url, {
        method: 'POST',
        path: KEYS,
        token,
        body: `<accessKey>${'<a/>'.repeat(count)}</accessKey>`,
      });
    expect((await send(4_000)).status).toBe(201);
    expect((await send(40_000)).status).toBe(400);
  });

  it('an answer does not grow with the number of problems', async () => {
    const body = { accessKeys: { accessKey: Array.from({ length: 200 }, () => ({})) } };
    const answer = await call(identity.url, { method: 'PUT', path: KEYS, token, body });
    expect(answer.status).toBe(400);
    expect(answer.text.length).toBeLessThan(4_000);
  });
});

describe('What is refused without reading a body', () => {
  const cases: [string, string, () => string, string[], string][] = [
    ['no token', '401', () => identity.url, [], KEYS],
    ['an invalid token', '401', () => identity.url, ['X-Auth-Token: none'], KEYS],
    ['an unknown path', '404', () => identity.url, [], '/v2.0/nowhere'],
    ['an unsupported method', '405', () => identity.url, [], '/v2.0/tenants'],
    ['a body that is too large', '413', () => identity.url, [], LOGIN],
    [
      'a source that has failed too often',
      '429',
      () => limited.url,
      ['X-Forwarded-For: 192.0.2.9'],
      LOGIN,
    ],
  ];

  beforeAll(async () => {
    // The source stays at its limit for the whole duration of the tests.
    jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    const failing = () =>
      call(limited.url, {
        method: 'POST',
        path: LOGIN,
        headers: { 'X-Forwarded-For': '192.0.2.9' },
        body: { auth: {} },
      });
    await waitFor(async () => (await failing()).status === 429);
  });
  afterAll(() => {
    jest.restoreAllMocks();
  });

  /** Runs all cases at once, because each connection stays open for a second to receive late data. */
  const ofEach = (check: (...one: (typeof cases)[number]) => Promise<void>) => async () => {
    await Promise.all(cases.map((one) => check(...one)));
  };

  it(
    'gets a response before any of it has arrived',
    ofEach(async (what, status, url, lines, path) => {
      const dialled = dial(url(), head(path, 'Content-Length: 200000', ...lines));
      await waitFor(() => statuses(dialled).length > 0);
      expect([what, statuses(dialled)]).toEqual([what, [status]]);
      expect(dialled.received).toMatch(/^connection: close\r$/im);
      await waitFor(() => dialled.socket.closed);
    }),
  );

  it(
    'gets a response that is not lost while the body is still arriving, and no part of it counts as a request',
    ofEach(async (what, status, url, lines, path) => {
      const body = `${'x'.repeat(100_000)}\r\n\r\nGET / HTTP/1.1\r\nHost: localhost\r\n\r\n`;
      const length = `Content-Length: ${200_000 + body.length}`;
      const all = Array.from({ length: 10 }, () =>
        dial(url(), head(path, length, ...lines) + body),
      );
      await waitFor(() => all.every(({ socket }) => socket.closed));
      for (const dialled of all) {
        expect([what, statuses(dialled), dialled.failure]).toEqual([what, [status], undefined]);
      }
    }),
  );

  it(
    'gets a response instead of 100 Continue',
    ofEach(async (what, status, url, lines, path) => {
      const expectation = ['Content-Length: 200000', 'Expect: 100-continue'];
      const dialled = dial(url(), head(path, ...expectation, ...lines));
      await waitFor(() => dialled.socket.closed);
      expect([what, statuses(dialled)]).toEqual([what, [status]]);
    }),
  );

  it('RFC 9110 s10.1.1: gets 100 Continue when the body is read, and then the response', async () => {
    const body = JSON.stringify({ accessKey: {} });
    const lines = ['Expect: 100-Continue', `X-Auth-Token: ${token}`];
    const dialled = dial(identity.url, head(KEYS, `Content-Length: ${body.length}`, ...lines));
    await waitFor(() => statuses(dialled).includes('100'));
    dialled.socket.write(body);
    await waitFor(() => statuses(dialled).includes('201'));
    dialled.socket.destroy();
    expect(statuses(dialled)).toEqual(['100', '201']);
  });

  it('pipelined requests with chunked bodies are answered one after the other', async () => {
    const chunked = head(KEYS, 'Transfer-Encoding: chunked', `X-Auth-Token: ${token}`);
    const body = '10\r\n{"accessKey": {}\r\n1\r\n}\r\n0\r\n\r\n';
    const dialled = dial(identity.url, (chunked + body).repeat(3));
    await waitFor(() => statuses(dialled).length === 3);
    dialled.socket.destroy();
    expect(statuses(dialled)).toEqual(['201', '201', '201']);
  });
});
