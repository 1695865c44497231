import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The body of a valid token of tenant A. */
export const VALID = {
  token: {
    user: { id: 'user-a' },
    project: { id: 'tenant-a' },
    catalog: [{ type: 'dns' }],
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  },
};

/** Answers validations as a test specifies, and counts them. */
export class ScriptedIdentity {
  readonly calls: string[] = [];
  answer: (token: string) => Promise<{ status: number; body?: unknown }> = () =>
    Promise.resolve({ status: 200, body: VALID });
  /** The run of the Redis on which this service claims to publish revocations. */
  revocationsAt: string | undefined;
  readonly #server: Server = createServer((req, res) => {
    const isValidation = req.url === '/v3/auth/tokens';
    this.calls.push(isValidation ? 'validate' : 'authenticate');
    const answered = isValidation
      ? this.answer(String(req.headers['x-subject-token']))
      : Promise.resolve({ status: 200, body: { access: { token: { id: 'service-token' } } } });
    void answered.then(({ status, body }) => {
      const { revocationsAt } = this;
      const headers = {
        'content-type': 'application/json',
        ...(revocationsAt === undefined ? {} : { 'x-revocations': revocationsAt }),
      };
      res.writeHead(status, headers).end(JSON.stringify(body));
    });
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
