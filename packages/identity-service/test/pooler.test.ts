import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  DATABASE_ROLES,
  NotificationListener,
  openDatabase,
  runPrepared,
} from '@zonewright/database';
import {
  describeWithPgbouncer,
  insertAccessKey,
  PrivatePgbouncer,
  waitFor,
} from '@zonewright/testkit';
import { tokenOf } from './client.js';
import { revoke, statusOf, tokenByKey } from './ends-of-tokens.js';
import {
  keyring,
  type RunningIdentity,
  startIdentity,
  useIdentity,
  waitUntilReady,
} from './use-identity.js';

const identity = useIdentity();

describeWithPgbouncer(
  'identity-service behind pgbouncer in transaction mode, with two sessions for all',
  () => {
    let pooler: PrivatePgbouncer;
    let replicas: RunningIdentity[];

    beforeAll(async () => {
      pooler = await PrivatePgbouncer.start(identity.databaseUrl, DATABASE_ROLES.identityService);
      const env = { DATABASE_SESSION_URL: identity.databaseUrl };
      replicas = await Promise.all([1, 2].map(() => startIdentity(pooler.url, { env })));
      await Promise.all(replicas.map(waitUntilReady));
    });
    afterAll(async () => {
      await Promise.all(replicas.map((replica) => replica.stop()));
      await pooler.stop();
    });

    it('many log in by password and by key at once, and a revocation at one replica applies at the other', async () => {
      const [here = '', there = ''] = replicas.map(({ url }) => url);
      const key = await insertAccessKey(identity.db, keyring, {
        userId: identity.world.user.id,
        accountDomainId: identity.world.accountDomainId,
      });
      await Promise.all(Array.from({ length: 30 }, () => tokenByKey(there, key)));
      const token = await tokenOf(here, identity.world.user);
      expect(await statusOf(there, token)).toBe(200);
      expect(await revoke(here, token)).toBe(204);
      expect(await statusOf(there, token)).not.toBe(200);
    });

    it('nothing listens through it, and a service that would hear nothing reports that', async () => {
      const errors: Error[] = [];
      const listener = new NotificationListener({
        url: pooler.url,
        applicationName: 'zonewright-test',
        channel: 'news',
        onNotify: () => undefined,
        onError: (error) => errors.push(error),
      });
      listener.start();
      await waitFor(() => errors.length > 0);
      expect(listener.isListening).toBe(false);
      expect(errors[0]?.message).toContain('DATABASE_SESSION_URL');
      await listener.stop();
    });

    it('statements have no names there, because a name of one session is unknown in another', async () => {
      const db = openDatabase({
        url: pooler.url,
        applicationName: 'zonewright-test',
        maxConnections: 8,
        isPooled: true,
      });
      const statement = { name: 'of-a-test', text: 'select $1::int as number, pg_sleep(0.01)' };
      const rows = await Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          runPrepared<{ number: number }>(db, statement, [index]),
        ),
      );
      expect(rows.map(([row]) => row?.number)).toEqual(
        Array.from({ length: 40 }, (_, index) => index),
      );
      await db.destroy();
    });
  },
);
