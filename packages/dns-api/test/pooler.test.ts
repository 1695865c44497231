import { afterAll, expect, it } from '@jest/globals';
import { DATABASE_ROLES, withRole } from '@zonewright/database';
import { describeWithPgbouncer, PrivatePgbouncer, waitFor } from '@zonewright/testkit';
import { createDomain, freshName } from './support/fixtures.js';
import { insist } from './support/insist.js';
import { useApi } from './support/use-api.js';

describeWithPgbouncer(
  'dns-api behind pgbouncer in transaction mode, with two sessions for all',
  () => {
    let pooler: PrivatePgbouncer | undefined;
    const api = useApi({
      prepare: async (databaseUrl) => {
        pooler = await PrivatePgbouncer.start(databaseUrl, DATABASE_ROLES.dnsApi);
        return {
          DATABASE_URL: pooler.url,
          DATABASE_SESSION_URL: withRole(databaseUrl, DATABASE_ROLES.dnsApi),
          DNS_API_DATABASE_CONNECTIONS: '10',
        };
      },
    });
    afterAll(() => pooler?.stop());

    it('many concurrent writes, with and without an Idempotency-Key, each take effect once', async () => {
      const { id, name } = await createDomain(api);
      // A 503 means that nothing was done, because the machine may be busy.
      const write = async (index: number): Promise<number> => {
        const body = { name: `h${index % 20}.${name}`, type: 'A', data: '192.0.2.1' };
        const { status } = await api
          .call('post', `/v1/domains/${id}/records`, body)
          .set('Idempotency-Key', `key-${index % 20}`);
        return status === 503 ? await write(index) : status;
      };
      const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => write(index)));
      expect(answers).toEqual(Array(40).fill(200));
      const answer = await api.call('get', `/v1/domains/${id}/records`).expect(200);
      expect((answer.body as { records: unknown[] }).records).toHaveLength(20);
    });

    it('a refused write leaves nothing in a session for the next user', async () => {
      const wrong = { name: freshName(), email: 'no address' };
      const refused = await Promise.all(
        Array.from({ length: 10 }, () => api.call('post', '/v1/domains', wrong)),
      );
      expect(refused.map(({ status }) => status)).toEqual(Array(10).fill(400));
      // Another file floods this server with notifications, and each commit with a notification waits behind them.
      const made = await Promise.all(
        Array.from({ length: 10 }, () =>
          insist(api, ['post', '/v1/domains', { name: freshName(), email: 'admin@example.com' }]),
        ),
      );
      expect(made.map(({ status }) => status)).toEqual(Array(10).fill(200));
    });

    it('events arrive at once, because the listener bypasses the pooler', async () => {
      const sessions = async () => {
        const { rows } = await api.db.raw<{ rows: { name: string }[] }>(
          `select a.application_name as name from pg_stat_activity as a
          where a.datname = current_database() and a.application_name like '%-listen'`,
        );
        return rows.map(({ name }) => name);
      };
      await waitFor(async () => (await sessions()).includes('zonewright-dns-api-events-listen'));
      expect(await sessions()).toContain('zonewright-dns-api-publication-listen');
    });
  },
);
