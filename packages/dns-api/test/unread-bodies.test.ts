import { connect, type Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@zonewright/testkit';
import { freshName } from './support/fixtures.js';
import { useApi } from './support/use-api.js';

const api = useApi();

interface Dialled {
  readonly socket: Socket;
  received: string;
  failure: Error | undefined;
}

function dial(text: string): Dialled {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
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

describe('What is refused without reading a body (D-ID)', () => {
  const cases: [string, string, string, string[]][] = [
    ['no token', '401', '/v1/domains', []],
    ['an invalid token', '401', '/v1/domains', ['X-Auth-Token: nobody']],
    ['an unknown URL', '404', '/v1/nowhere', []],
    ['an unsupported method', '405', '/v1/limits', []],
    ['a body that is too large', '413', '/v1/domains', ['X-Auth-Token: token-a']],
  ];
  const LENGTH = 2_000_000;

  /** Runs all cases at once, because each connection stays open for a second to receive late data. */
  const ofEach = (check: (...one: (typeof cases)[number]) => Promise<void>) => async () => {
    await Promise.all(cases.map((one) => check(...one)));
  };

  it(
    'gets a response before any of it has arrived',
    ofEach(async (what, status, path, lines) => {
      const dialled = dial(head(path, `Content-Length: ${LENGTH}`, ...lines));
      await waitFor(() => statuses(dialled).length > 0);
      expect([what, statuses(dialled)]).toEqual([what, [status]]);
      expect(dialled.received).toMatch(/^connection: close\r$/im);
      await waitFor(() => dialled.socket.closed);
    }),
  );

  it(
    'gets a response that is not lost while the body is still arriving, and no part of it counts as a request',
    ofEach(async (what, status, path, lines) => {
      const body = `${'x'.repeat(300_000)}\r\n\r\nGET / HTTP/1.1\r\nHost: localhost\r\n\r\n`;
      const text = head(path, `Content-Length: ${LENGTH}`, ...lines) + body;
      const all = Array.from({ length: 10 }, () => dial(text));
      await waitFor(() => all.every(({ socket }) => socket.closed));
      for (const dialled of all) {
        expect([what, statuses(dialled), dialled.failure]).toEqual([what, [status], undefined]);
      }
    }),
  );

  it(
    'gets a response instead of 100 Continue',
    ofEach(async (what, status, path, lines) => {
      const expectation = [`Content-Length: ${LENGTH}`, 'Expect: 100-continue'];
      const dialled = dial(head(path, ...expectation, ...lines));
      await waitFor(() => dialled.socket.closed);
      expect([what, statuses(dialled)]).toEqual([what, [status]]);
    }),
  );

  it('RFC 9110 s10.1.1: gets 100 Continue when the body is read, and then the response', async () => {
    const body = JSON.stringify({ name: freshName(), email: 'hostmaster@example.net' });
    const lines = ['Expect: 100-continue', 'X-Auth-Token: token-a'];
    const dialled = dial(head('/v1/domains', `Content-Length: ${body.length}`, ...lines));
    await waitFor(() => statuses(dialled).includes('100'));
    dialled.socket.write(body);
    await waitFor(() => statuses(dialled).includes('200'));
    dialled.socket.destroy();
    expect(statuses(dialled)).toEqual(['100', '200']);
  });
});
