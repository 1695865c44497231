import { expect, it } from '@jest/globals';
import { createLogger } from '@zonewright/service-kit';
import { createRedisNamespace, describeWithRedis, waitFor } from '@zonewright/testkit';
import { Redis } from 'ioredis';
import { type AccessJson, call, tokenOf } from './client.js';
import { AccessKeysClient } from './access-keys-client.js';
import { startIdentity, useIdentity, waitUntilReady } from './use-identity.js';

const identity = useIdentity();

async function dumpPostgres(): Promise<string> {
  const { rows: tables } = await identity.db.raw<{ rows: { name: string }[] }>(
    `select quote_ident(tables.table_name) as name from information_schema.tables as tables
     where tables.table_schema = 'identity'`,
  );
  const dumps = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await identity.db.raw<{ rows: { row: string }[] }>(
        `select rows::text as row from identity.${name} as rows`,
      );
      return rows.map(({ row }) => row).join('\n');
    }),
  );
  return dumps.join('\n');
}

async function dumpRedis(url: string, prefix: string): Promise<string> {
  const client = new Redis(url);
  try {
    const keys = await client.keys(`${prefix}*`);
    const values = await Promise.all(
      keys.map(async (key) =>
        (await client.type(key)) === 'stream'
          ? await client.xrange(key, '-', '+')
          : await client.get(key),
      ),
    );
    return JSON.stringify([keys, values]);
  } finally {
    client.disconnect();
  }
}

describeWithRedis('Secrets', () => {
  it('PostgreSQL, Redis, logs and metrics contain no token, password or secret key in clear text', async () => {
    const redis = createRedisNamespace();
    const lines: string[] = [];
    const received: string[] = [];
    const log = createLogger('identity-service', 'trace', {
      write: (line) => void lines.push(line),
    });
    const service = await startIdentity(identity.databaseUrl, {
      log,
      env: { RATE_LIMITS: 'true', REDIS_URL: redis.url, REDIS_KEY_PREFIX: redis.prefix },
    });
    const subscriber = new Redis(redis.url);
    try {
      await waitUntilReady(service);
      await subscriber.psubscribe(`${redis.prefix}*`);
      subscriber.on('pmessage', (_pattern, _channel, message: string) => received.push(message));
      const { user, tenant, accessKey } = identity.world;
      const token = await tokenOf(service.url, user, tenant.id);
      const keys = new AccessKeysClient(service.url, token);
      const created = await keys.create();
      await keys.send('PUT', '', {
        body: { accessKeys: { accessKey: { secretKey: 'imported-secret', algorithm: 'x' } } },
      });
      await keys.list('?export=true');
      await keys.get(created.accessKeyId, '?export=true');
      const wrongPassword = 'a-wrong-password';
      const byKey = await call(service.url, {
        method: 'POST',
        path: '/v2.0/tokens',
        body: { auth: { apiAccessKeyCredentials: accessKey } },
      });
      const keyToken = (byKey.json as AccessJson).access.token.id;
      await call(service.url, {
        path: '/v1.0',
        headers: { 'X-Auth-User': user.name, 'X-Auth-Key': wrongPassword },
      });
      await call(service.url, { path: `/v2.0/tokens/${keyToken}/nothing`, token });
      await call(service.url, {
        method: 'POST',
        path: '/v2.0/tokens',
        body: { auth: { token: { id: token } } },
      });
      await call(service.url, { path: `/v2.0/tokens/${token}`, token });
      await call(service.url, { method: 'DELETE', path: `/v2.0/tokens/${token}`, token });
      await waitFor(() => received.length > 0);
      const metrics = await (await fetch(`${service.operationsUrl}/metrics`)).text();
      const places = {
        postgres: await dumpPostgres(),
        redis: await dumpRedis(redis.url, redis.prefix),
        messages: received.join('\n'),
        log: lines.join('\n'),
        metrics,
      };
      // Each export is logged with the caller and the key's owner (D-ACC).
      for (const message of ['access keys exported', 'access key exported']) {
        const line = lines.find((one) => one.includes(`"${message}"`)) ?? '';
        expect(line).toContain(`"exportedBy":"${user.id}"`);
        expect(line).toContain(`"ownerId":"${user.id}"`);
        expect(line).toContain(created.accessKeyId);
      }
      expect(places.metrics).toContain('zonewright_identity_http_requests_total');
      const secrets = [
        token,
        keyToken,
        user.password,
        wrongPassword,
        accessKey.secretKey,
        created.secretKey!,
        'imported-secret',
      ];
      for (const [place, content] of Object.entries(places)) {
        expect(content).not.toBe('');
        for (const secret of secrets) {
          const forms = [secret, Buffer.from(secret).toString('hex')];
          expect([place, forms.filter((form) => content.includes(form))]).toEqual([place, []]);
        }
      }
    } finally {
      subscriber.disconnect();
      await service.stop();
    }
  });
});
