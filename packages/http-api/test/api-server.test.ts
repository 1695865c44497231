import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ApiServer, apiSettings } from '@zonewright/http-api';
import { createLogger, readSettings, SettingsError } from '@zonewright/service-kit';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type RequestOptions } from 'node:http';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, TLSSocket } from 'node:tls';
import { Registry } from 'prom-client';
import { generate } from 'selfsigned';

let folder: string;
let server: ApiServer | undefined;
let registry: Registry;
let lines: string[];
const certificateFile = () => join(folder, 'tls.crt');
const keyFile = () => join(folder, 'tls.key');

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'zonewright-tls-'));
  registry = new Registry();
  lines = [];
});
afterEach(async () => {
  await server?.stop();
  server = undefined;
  rmSync(folder, { recursive: true });
});

/** Writes a new self-signed certificate and its key to the paths that the server reads. */
async function makeCertificate(name: string): Promise<void> {
  const subject = [{ name: 'commonName', value: name }];
  const made = await generate(subject, { keyType: 'ec', curve: 'P-256' });
  writeFileSync(`${keyFile()}.new`, made.private);
  writeFileSync(`${certificateFile()}.new`, made.cert);
  renameSync(`${keyFile()}.new`, keyFile());
  renameSync(`${certificateFile()}.new`, certificateFile());
}

async function start(env: Record<string, string>): Promise<number> {
  server = new ApiServer({
    listener: (_, response) => response.setHeader('x-app', 'reached').end('body'),
    answerBroken: (_, socket) => socket.destroy(),
    settings: readSettings(apiSettings('DNS_API', 64), env),
    requestTimeoutMs: 15_000,
    registry,
    metricPrefix: 'test',
    log: createLogger('test', 'info', { write: (line) => void lines.push(line) }),
  });
  return await server.listen(0, '127.0.0.1');
}

const tlsEnv = () => ({
  DNS_API_TLS_CERTIFICATE_FILE: certificateFile(),
  DNS_API_TLS_KEY_FILE: keyFile(),
});

/** Sends a request, and returns the name in the certificate of its connection. */
async function get(port: number, options: RequestOptions = {}): Promise<string> {
  return await new Promise((resolve, reject) => {
    request(
      { port, host: '127.0.0.1', rejectUnauthorized: false, agent: false, ...options },
      (response) => {
        const { socket } = response;
        const name =
          socket instanceof TLSSocket ? String(socket.getPeerCertificate().subject.CN) : 'no TLS';
        response.resume().on('end', () => {
          resolve(name);
        });
      },
    )
      .on('error', reject)
      .end();
  });
}

const failures = async () =>
  Number(/^test_tls_reload_failures_total (\S+)$/m.exec(await registry.metrics())?.[1]);

describe('ApiServer over TLS', () => {
  it('uses a new certificate without a restart, and keeps existing connections', async () => {
    await makeCertificate('old');
    const port = await start(tlsEnv());
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect(await get(port, { agent })).toBe('old');
    await makeCertificate('new');
    server?.reload?.();
    expect(await get(port)).toBe('new');
    expect(await get(port, { agent })).toBe('old');
    agent.destroy();
  });

  it('checks the files by itself', async () => {
    await makeCertificate('old');
    const port = await start(tlsEnv());
    await makeCertificate('new');
    const deadline = Date.now() + 10_000;
    while ((await get(port)) !== 'new' && Date.now() < deadline);
    expect(await get(port)).toBe('new');
  });

  it.each<[string, () => void | Promise<void>]>([
    [
      'no certificate',
      () => {
        writeFileSync(certificateFile(), 'nonsense');
      },
    ],
    [
      'a missing file',
      () => {
        rmSync(keyFile());
      },
    ],
    [
      'a key of another certificate',
      async () => {
        const certificate = readFileSync(certificateFile());
        await makeCertificate('other');
        writeFileSync(certificateFile(), certificate);
      },
    ],
  ])(
    'keeps the old certificate for %s, with one error line and one count',
    async (_, breakFiles) => {
      await makeCertificate('old');
      const port = await start(tlsEnv());
      await breakFiles();
      server?.reload?.();
      server?.reload?.();
      expect(await get(port)).toBe('old');
      expect(await failures()).toBe(1);
      expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
        expect.objectContaining({
          level: 'error',
          msg: expect.stringContaining('the old one is still in use'),
        }),
      ]);
      expect(lines.join('')).not.toContain('PRIVATE KEY');
      await makeCertificate('mended');
      server?.reload?.();
      expect(await get(port)).toBe('mended');
    },
  );

  it('supports only TLS 1.2 and newer', async () => {
    await makeCertificate('name');
    const port = await start(tlsEnv());
    const versionWith = async (maxVersion: 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3') =>
      await new Promise<string>((resolve) => {
        const options = { port, host: '127.0.0.1', rejectUnauthorized: false };
        const ciphers = 'DEFAULT@SECLEVEL=0';
        const socket = connect({ ...options, minVersion: 'TLSv1', maxVersion, ciphers }, () => {
          resolve(socket.getProtocol() ?? '');
          socket.destroy();
        });
        socket.on('error', () => {
          resolve('refused');
        });
      });
    expect(await versionWith('TLSv1.1')).toBe('refused');
    expect(await versionWith('TLSv1.2')).toBe('TLSv1.2');
    expect(await versionWith('TLSv1.3')).toBe('TLSv1.3');
  });

  it('does not start with unusable files, and names them', () => {
    const settings = readSettings(apiSettings('DNS_API', 64), tlsEnv());
    const create = (of: typeof settings) => () =>
      new ApiServer({
        listener: () => undefined,
        answerBroken: () => undefined,
        settings: of,
        requestTimeoutMs: 1,
        registry,
        metricPrefix: 'test',
        log: createLogger('test', 'silent'),
      });
    expect(create(settings)).toThrow(SettingsError);
    expect(create(settings)).toThrow(certificateFile());
    const half = readSettings(apiSettings('DNS_API', 64), { DNS_API_TLS_KEY_FILE: keyFile() });
    expect(create(half)).toThrow('set both');
  });

  it('uses plain HTTP by default', async () => {
    await start({});
    expect(server?.scheme).toBe('http');
    expect(server?.reload).toBeUndefined();
  });
});

describe('ApiServer and what Node would answer by itself', () => {
  const statusOf = async (options: RequestOptions) => {
    const port = await start({});
    return await new Promise<number | undefined>((resolve, reject) => {
      httpRequest({ port, host: '127.0.0.1', agent: false, ...options }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });
  };

  it('RFC 9110 s10.1.1: ignores an unknown expectation', async () => {
    expect(await statusOf({ headers: { Expect: '200-maybe' } })).toBe(200);
  });

  it('RFC 9112 s3.2: passes a request of HTTP/1.1 without Host to answerBroken', async () => {
    await expect(statusOf({ setHost: false })).rejects.toThrow('socket hang up');
  });
});

describe('ApiServer with CORS', () => {
  interface Answer {
    readonly status: number;
    readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  }

  async function ask(
    port: number,
    method: string,
    headers: Record<string, string>,
  ): Promise<Answer> {
    return await new Promise((resolve, reject) => {
      httpRequest({ port, host: '127.0.0.1', method, headers }, (response) => {
        response.resume().on('end', () => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers });
        });
      })
        .on('error', reject)
        .end();
    });
  }

  const PREFLIGHT = { 'access-control-request-method': 'PUT' };
  const ORIGIN = 'https://console.example.net';

  it('is off unless configured', async () => {
    const port = await start({});
    const { headers } = await ask(port, 'GET', { origin: ORIGIN });
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect((await ask(port, 'OPTIONS', { origin: ORIGIN, ...PREFLIGHT })).headers['x-app']).toBe(
      'reached',
    );
  });

  it('answers a preflight request of an allowed origin itself', async () => {
    const port = await start({ DNS_API_CORS_ORIGINS: `https://other.example, ${ORIGIN}` });
    const { status, headers } = await ask(port, 'OPTIONS', { origin: ORIGIN, ...PREFLIGHT });
    expect(status).toBe(204);
    expect(headers['x-app']).toBeUndefined();
    expect(headers).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      vary: 'Origin',
      'access-control-allow-methods': expect.stringContaining('PUT'),
      'access-control-allow-headers': expect.stringMatching(/Idempotency-Key.*X-Auth-Token/),
    });
    expect(headers['access-control-allow-credentials']).toBeUndefined();
  });

  it("lets the origin's scripts read the headers that clients need", async () => {
    const port = await start({ DNS_API_CORS_ORIGINS: ORIGIN });
    const { headers } = await ask(port, 'GET', { origin: ORIGIN });
    expect(headers['access-control-allow-origin']).toBe(ORIGIN);
    const exposed = String(headers['access-control-expose-headers']).split(', ');
    expect(exposed).toEqual(
      expect.arrayContaining(['X-Subject-Token', 'Location', 'ETag', 'X-Openstack-Request-Id']),
    );
  });

  it('sends nothing to other origins, and allows any with *', async () => {
    const strict = await start({ DNS_API_CORS_ORIGINS: ORIGIN });
    const other = await ask(strict, 'GET', { origin: 'https://evil.example' });
    expect(other.headers['access-control-allow-origin']).toBeUndefined();
    await server?.stop();
    registry.clear();
    const open = await start({ DNS_API_CORS_ORIGINS: '*' });
    const any = await ask(open, 'GET', { origin: 'https://any.example' });
    expect(any.headers['access-control-allow-origin']).toBe('*');
  });
});
