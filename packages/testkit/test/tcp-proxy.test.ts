import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { startProxy, type TcpProxy, waitFor } from '../src/index.js';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  while (cleanUp.length > 0) await cleanUp.pop()?.();
});

/** Starts a server behind a proxy that sends back what it receives. */
async function startEcho(): Promise<{ proxy: TcpProxy; url: string }> {
  const server = createServer((socket) => socket.on('error', () => undefined).pipe(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUp.push(() => new Promise((resolve) => server.close(resolve)));
  const { port } = server.address() as AddressInfo;
  const started = await startProxy(`redis://:secret@127.0.0.1:${port}/2`);
  cleanUp.push(() => started.proxy.stop());
  return started;
}

/** Opens a client, and collects what it receives. */
function dial(proxy: TcpProxy): { socket: Socket; received: () => string } {
  let text = '';
  const socket = connect(proxy.port, '127.0.0.1');
  socket.on('error', () => undefined).on('data', (chunk: Buffer) => (text += chunk.toString()));
  cleanUp.push(() => socket.destroy());
  return { socket, received: () => text };
}

describe('TcpProxy', () => {
  it('leads to the server of a URL, and keeps the rest of the URL', async () => {
    const { proxy, url } = await startEcho();
    const { socket, received } = dial(proxy);
    socket.write('hello');
    await waitFor(() => received() === 'hello');

    expect(url).toBe(`redis://:secret@127.0.0.1:${proxy.port}/2`);
  });

  it('cut: ends connections and refuses new ones, until it is restored', async () => {
    const { proxy } = await startEcho();
    const before = dial(proxy);
    await once(before.socket, 'connect');
    before.socket.write('x');
    await waitFor(() => before.received() === 'x');
    proxy.cut();
    await waitFor(() => before.socket.closed);
    const meanwhile = dial(proxy);
    await waitFor(() => meanwhile.socket.closed);

    proxy.restore();
    const after = dial(proxy);
    after.socket.write('again');
    await waitFor(() => after.received() === 'again');
    expect(meanwhile.received()).toBe('');
  });

  it('delay: forwards all data later and in order, and at once when it is restored', async () => {
    const { proxy } = await startEcho();
    const { socket, received } = dial(proxy);
    await once(socket, 'connect');
    proxy.delay(100);
    const started = Date.now();
    socket.write('one');
    await waitFor(() => received() === 'one');
    expect(Date.now() - started).toBeGreaterThanOrEqual(199);

    proxy.delay(3_600_000);
    socket.write(' two');
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(received()).toBe('one');
    proxy.restore();
    socket.write(' three');
    await waitFor(() => received() === 'one two three');
  });

  it('stall: keeps connections and forwards nothing, until it is restored', async () => {
    const { proxy } = await startEcho();
    const before = dial(proxy);
    before.socket.write('1');
    await waitFor(() => before.received() === '1');
    proxy.stall();
    before.socket.write('2');
    const meanwhile = dial(proxy);
    meanwhile.socket.write('new');
    await once(meanwhile.socket, 'connect');
    const end = Date.now() + 100;
    await waitFor(() => Date.now() > end);
    expect([before.received(), meanwhile.received()]).toEqual(['1', '']);
    expect([before.socket.closed, meanwhile.socket.closed]).toEqual([false, false]);

    proxy.restore();
    await waitFor(() => before.received() === '12' && meanwhile.received() === 'new');
  });
});
