import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands in for the identity service: the token `tenant-3` is one of the tenant of that name. */
export class TenantTokens {
  readonly #server: Server = createServer((request, response) => {
    const token = String(request.headers['x-subject-token']);
    const body =
      request.url === '/v3/auth/tokens'
        ? {
            token: {
              user: { id: `user-of-${token}` },
              project: { id: token },
              roles: [{ name: 'dns-admin' }],
              catalog: [{ type: 'dns' }],
              expires_at: new Date(Date.now() + 3_600_000).toISOString(),
            },
          }
        : { access: { token: { id: 'service-token' } } };
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
