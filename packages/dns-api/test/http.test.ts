import { connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@zonewright/testkit';
import { createDomain, freshName } from './support/fixtures.js';
import { BROKEN_TOKEN } from './support/fake-tokens.js';
import { useApi } from './support/use-api.js';

const api = useApi({
  env: { DNS_API_MAX_BODY_BYTES: '2048', DNS_API_REQUEST_TIMEOUT_SECONDS: '1' },
});

describe('Requests (D-REQ and 3)', () => {
  it.each(['/v3', '/V1/domains', '/v1/domain', '/v1/domains/x/records/y/z', '/favicon.ico'])(
    'DNS API s7: the unknown URL %s gets 404 with an HTML body',
    async (path) => {
      const response = await api.call('get', path);
      expect(response.status).toBe(404);
      expect(response.headers['content-type']).toMatch(/^text\/html/);
      expect(response.text).toContain('404');
    },
  );

  it('D-REQ-1: repeated slashes collapse and a trailing slash is ignored', async () => {
    const { id } = await createDomain(api);
    for (const path of ['/v1//domains', '/v1/domains/', `//v1/domains//${id}/`]) {
      const response = await api.call('get', path);
      expect(response.status).toBe(200);
    }
  });

  it('D-REQ: every response has its own request id, and so does an error body', async () => {
    const responses = [
      await api.call('get', '/v1/limits'),
      await api.call('get', '/nowhere'),
      await api.callAs(undefined, 'get', '/v1/limits'),
    ];
    const ids = responses.map(({ headers }) => headers['x-openstack-request-id'] ?? '');
    for (const id of ids) expect(id).toMatch(/^req-[0-9a-f-]{36}$/);
    expect(new Set(ids).size).toBe(3);
    expect((responses[2]!.body as { request_id: string }).request_id).toBe(ids[2]);
  });

  it('every response forbids browsers and caches to change or store it', async () => {
    const answers = [
      await api.call('get', '/v1/limits'),
      await api.callAs(undefined, 'get', '/v1/limits'),
      await api.call('get', '/nowhere'),
    ];
    for (const { headers } of answers) {
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      });
      expect(headers['strict-transport-security']).toBeUndefined();
    }
    expect(answers[2]?.headers['content-security-policy']).toMatch(/^default-src 'none'/);
  });

  it('a compressed body gets 415, regardless of its content', async () => {
    const response = await api
      .call('post', '/v1/domains')
      .set('Content-Type', 'application/json')
      .set('Content-Encoding', 'gzip')
      .send('{}');
    expect(response.status).toBe(415);
    expect(response.body).toMatchObject({ code: 415, type: 'unsupported_content_type' });
  });

  it('D-ZONE-7: an unsupported method gets 405 with Allow', async () => {
    const response = await api.call('patch', '/v1/domains');
    expect(response.status).toBe(405);
    expect(response.headers['allow']).toBe('POST, GET, HEAD');
    expect(response.body).toMatchObject({ code: 405, type: 'invalid_method' });
  });

  it('RFC 9110 s9.3.2: HEAD answers like GET without a body', async () => {
    const response = await api.call('head', '/v1/limits');
    expect(response.status).toBe(200);
    expect(Number(response.headers['content-length'])).toBeGreaterThan(2);
  });

  it.each([
    ['application/xml', 406],
    ['text/html, application/json;q=0', 406],
    ['application/*;q=0.2', 200],
    ['*/*', 200],
    ['text/html, application/json;q=0.1', 200],
  ])('D-ZONE-7: Accept %s is answered with %i', async (accept, status) => {
    const response = await api.call('get', '/v1/limits').set('Accept', accept);
    expect(response.status).toBe(status);
    expect(response.headers['content-type']).toBe('application/json');
    expect(response.headers['vary']).toBe('Accept');
    expect((response.body as { type?: string }).type).toBe(
      status === 406 ? 'unsupported_accept' : undefined,
    );
  });

  it('D-ZONE-7: another Content-Type gets 415', async () => {
    const response = await api
      .call('post', '/v1/domains')
      .set('Content-Type', 'application/xml')
      .send('<domain/>');
    expect(response.status).toBe(415);
    expect(response.body).toMatchObject({ code: 415, type: 'unsupported_content_type' });
  });

  it('D-REQ: a body that is too large gets 413, declared or not', async () => {
    const description = 'x'.repeat(4096);
    const response = await api.call('post', '/v1/domains', { name: freshName(), description });
    expect(response.status).toBe(413);
    expect(response.body).toMatchObject({ code: 413 });
    const streamed = await fetch(`${api.url}/v1/domains`, {
      method: 'POST',
      headers: { 'X-Auth-Token': 'token-a', 'Content-Type': 'application/json' },
      body: new Blob([JSON.stringify({ description })]).stream(),
      duplex: 'half',
    });
    expect(streamed.status).toBe(413);
  });

  it('D-REQ: JSON that is nested too deeply gets 400', async () => {
    const response = await api
      .call('post', '/v1/domains')
      .set('Content-Type', 'application/json')
      .send(`${'['.repeat(500)}${']'.repeat(500)}`);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ type: 'invalid_json' });
  });

  it('D-REQ: invalid UTF-8 or percent-encoding gets 400', async () => {
    const octets = await api
      .call('post', '/v1/domains')
      .set('Content-Type', 'application/json')
      .send(Buffer.from([0x22, 0xff, 0x22]).toString('latin1'))
      .serialize((text: string) => Buffer.from(text, 'latin1') as unknown as string);
    expect(octets.status).toBe(400);
    const path = await api.call('get', '/v1/domains/%zz');
    expect(path.status).toBe(400);
    expect(path.body).toMatchObject({ code: 400 });
  });

  it('D-REQ: JSON has no charset, so a charset parameter is ignored', async () => {
    const response = await api
      .call('post', '/v1/domains')
      .set('Content-Type', 'application/json; charset=ISO-8859-1')
      .send(JSON.stringify({ name: freshName(), email: 'a@example.com', description: 'é' }));
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ description: 'é' });
  });

  it('RFC 9110 s15.5.2: a 401 has a challenge', async () => {
    const response = await api.callAs('no-token', 'get', '/v1/limits');
    expect(response.status).toBe(401);
    expect(response.headers['www-authenticate']).toBe('Keystone');
  });

  it('DNS API s7: an unexpected error gets 500 with a fixed text', async () => {
    const response = await api.callAs(BROKEN_TOKEN, 'get', '/v1/limits');
    expect(response.status).toBe(500);
    expect(response.body).toMatchObject({ code: 500, type: 'unknown', errors: [] });
    expect(response.text).not.toContain('secret');
  });

  it('RFC 6585 s5: a header that is too large gets 431', async () => {
    const response = await api.call('get', '/v1/limits').set('X-Large', 'x'.repeat(20_000));
    expect(response.status).toBe(431);
    expect(response.body).toMatchObject({ code: 431, message: expect.any(String) });
  });

  it.each([
    ['a body that never ends', 'Content-Length: 10\r\n\r\n{'],
    ['a header that never ends', 'X-Slow: '],
  ])(
    'D-REQ-20: %s is answered 408 in the error form of the API',
    async (_what, rest) => {
      const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
      let answer = '';
      socket.on('data', (chunk) => (answer += chunk.toString()));
      socket.write(`POST /v1/domains HTTP/1.1\r\nHost: x\r\nX-Auth-Token: token-a\r\n${rest}`);
      await waitFor(() => answer.endsWith('}'));
      socket.destroy();
      expect(answer).toMatch(/^HTTP\/1\.1 408 /);
      expect(answer).toContain('"type":"request_timeout"');
    },
    30_000,
  );

  it.each([
    ['get', '/v1/domains/x', 404],
    ['patch', '/v1/domains', 405],
    ['post', '/v1/domains', 400],
    ['get', '/nowhere', 404],
  ] as const)(
    'DNS API s4: the answer to %s %s has a Content-Length',
    async (method, path, status) => {
      const response = await api.call(method, path, method === 'post' ? {} : undefined);
      expect(response.status).toBe(status);
      expect(Number(response.headers['content-length'])).toBe(Buffer.byteLength(response.text));
      expect(response.headers['transfer-encoding']).toBeUndefined();
    },
  );

  it('D-REQ-11: a body without a Content-Type is JSON', async () => {
    const response = await fetch(`${api.url}/v1/domains`, {
      method: 'POST',
      headers: { 'X-Auth-Token': 'token-a' },
      body: Buffer.from(JSON.stringify({ name: freshName(), email: 'hostmaster@example.org' })),
    });
    expect(response.status).toBe(200);
  });

  it('D-REQ: an unknown query parameter is ignored', async () => {
    for (const path of ['/v1/limits?x=1', '/v1/domains?newer=1&limit=5', '/v1?_=1']) {
      expect((await api.call('get', path)).status).toBe(200);
    }
  });

  it.each(['HELLO\r\n\r\n', 'GET /v1 HTTP/1.1\r\n\r\n'])(
    'D-REQ-20: data that is not an HTTP request gets an answer in the error form of the API: %j',
    async (message) => {
      const answer = await new Promise<string>((resolve, reject) => {
        const socket = connect(Number(new URL(api.url).port), '127.0.0.1', () => {
          socket.write(message);
        });
        let text = '';
        socket.on('data', (chunk) => (text += chunk.toString()));
        socket.on('end', () => {
          resolve(text);
        });
        socket.on('error', reject);
      });
      expect(answer).toMatch(/^HTTP\/1\.1 400 .*X-Openstack-Request-Id/s);
      expect(answer).toContain('"type":"invalid_object"');
    },
  );

  it('health and metrics are served on a separate port', async () => {
    const paths = ['/healthz', '/readyz', '/metrics'];
    const statuses = await Promise.all(
      paths.map(async (path) => {
        const response = await fetch(api.operationsUrl + path);
        // The response must be read, because the rest of a long one would keep its connection open.
        await response.arrayBuffer();
        return response.status;
      }),
    );
    expect(statuses).toEqual([200, 200, 200]);
  });
});
