import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  describeWithPrivatePostgres,
  giveToServer,
  PrivatePostgres,
  waitFor,
  writeCertificate,
} from '@zonewright/testkit';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NotificationListener, openDatabase } from '../src/index.js';

const folder = mkdtempSync(join(tmpdir(), 'zonewright-postgres-tls-'));
const of = (name: string) => join(folder, name);

describeWithPrivatePostgres('a PostgreSQL with TLS', () => {
  let server: PrivatePostgres;

  beforeAll(async () => {
    await writeCertificate(folder, 'server', 'localhost');
    await writeCertificate(folder, 'other', 'localhost');
    await giveToServer(folder);
    server = await PrivatePostgres.start([
      'ssl = on',
      `ssl_cert_file = '${of('server.pem')}'`,
      `ssl_key_file = '${of('server.key')}'`,
    ]);
  }, 60_000);
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  const urlOf = (host: string, parameters: string) =>
    `${server.url.replace('127.0.0.1', host)}?${parameters}`;

  async function isEncrypted(url: string): Promise<boolean> {
    const db = openDatabase({ url, applicationName: 'zonewright-test', maxConnections: 1 });
    try {
      const { rows } = await db.raw<{ rows: { ssl: boolean }[] }>(
        'select s.ssl from pg_stat_ssl as s where s.pid = pg_backend_pid()',
      );
      return rows[0]?.ssl === true;
    } finally {
      await db.destroy();
    }
  }

  it('verify-full: the authority of sslrootcert is trusted, and the name must match', async () => {
    const authority = `sslrootcert=${of('server.pem')}`;
    expect(await isEncrypted(urlOf('localhost', `sslmode=verify-full&${authority}`))).toBe(true);
    await expect(
      isEncrypted(urlOf('127.0.0.1', `sslmode=verify-full&${authority}`)),
    ).rejects.toThrow(/IP: 127\.0\.0\.1 is not in the cert|altnames/);
  });

  it('other authorities are not trusted, and without sslrootcert those of the machine are', async () => {
    const other = `sslmode=verify-full&sslrootcert=${of('other.pem')}`;
    await expect(isEncrypted(urlOf('localhost', other))).rejects.toThrow(/self.signed|certificate/);
    await expect(isEncrypted(urlOf('localhost', 'sslmode=verify-full'))).rejects.toThrow(
      /self.signed|certificate/,
    );
  });

  it('the same applies to listeners', async () => {
    const heard: (string | undefined)[] = [];
    const listener = new NotificationListener({
      url: urlOf('localhost', `sslmode=verify-full&sslrootcert=${of('server.pem')}`),
      applicationName: 'zonewright-test',
      channel: 'news',
      onNotify: (payload) => heard.push(payload),
      onError: () => undefined,
    });
    listener.start();
    await waitFor(() => listener.isListening);
    await server.query(`select pg_notify('news', 'over TLS')`);
    await waitFor(() => heard.includes('over TLS'));
    await listener.stop();
  });
});
