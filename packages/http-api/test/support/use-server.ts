import { afterAll, beforeAll } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Starts a server for a test file. */
export function useServer(listener: RequestListener): { readonly url: string } {
  let server: Server;
  let url = '';
  beforeAll(async () => {
    server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });
  return {
    get url() {
      return url;
    },
  };
}
