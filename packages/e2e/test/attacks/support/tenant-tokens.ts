import { createServer, type Server } from 'node:http';
import { Redis } from 'ioredis';
import type { AddressInfo } from 'node:net';

/** Replaces the identity service: the token `tenant-3` belongs to the tenant with that name. */
export class TenantTokens {
  /** Run that announces revocations. With it, dns-api caches tokens as with the real service. */
  #revocationsAt: string | undefined;
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
    const told = this.#revocationsAt === undefined ? {} : { 'x-revocations': this.#revocationsAt };
    response
      .writeHead(200, { 'content-type': 'application/json', ...told })
      .end(JSON.stringify(body));
  });

  async start(redisUrl: string | undefined): Promise<string> {
    if (redisUrl !== undefined) {
      const redis = new Redis(redisUrl);
      this.#revocationsAt = /^run_id:(\w+)/m.exec(await redis.info('server'))?.[1];
      redis.disconnect();
    }
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
