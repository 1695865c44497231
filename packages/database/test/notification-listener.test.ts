import { afterEach, describe, expect, it } from '@jest/globals';
import { inTime, waitFor } from '@zonewright/testkit';
import { CHANNELS, DATABASE_ROLES, NotificationListener } from '../src/index.js';
import { Proxy } from './support/proxy.js';
import { useTestDatabase } from './support/test-database.js';

const database = useTestDatabase();
const APPLICATION_NAME = 'zonewright-test-listener';

interface Observed {
  readonly listener: NotificationListener;
  readonly notified: (string | undefined)[];
  readonly errors: Error[];
  /** Returns the largest number of notifications that were passed on without a break for other work. */
  readonly mostAtOnce: () => number;
}

const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  while (cleanUp.length > 0) await cleanUp.pop()?.();
});

function listen(url: string): Observed {
  const notified: (string | undefined)[] = [];
  const errors: Error[] = [];
  let atOnce = 0;
  let most = 0;
  const listener = new NotificationListener({
    url,
    applicationName: APPLICATION_NAME,
    channel: CHANNELS.dns,
    onNotify: (payload) => {
      notified.push(payload);
      if (atOnce === 0) queueMicrotask(() => (atOnce = 0));
      atOnce += 1;
      most = Math.max(most, atOnce);
    },
    onError: (error) => errors.push(error),
  });
  cleanUp.push(() => listener.stop());
  listener.start();
  return { listener, notified, errors, mostAtOnce: () => most };
}

async function startProxy(): Promise<Proxy> {
  const proxy = new Proxy(database.url);
  await proxy.start();
  cleanUp.push(() => proxy.stop());
  return proxy;
}

async function notify(payload: string): Promise<void> {
  await database.db.raw('select pg_notify(?, ?)', [CHANNELS.dns, payload]);
}

async function countSessions(): Promise<number> {
  const { rows } = await database.db.raw<{ rows: unknown[] }>(
    'select from pg_stat_activity where application_name = ? and datname = current_database()',
    [APPLICATION_NAME],
  );
  return rows.length;
}

describe('NotificationListener', () => {
  it('passes notifications on, after one undefined for those that it may have missed', async () => {
    const { listener, notified, errors } = listen(database.url);
    expect(listener.isListening).toBe(false);
    await waitFor(() => listener.isListening);
    await notify('zone-1');
    await notify('zone-2');
    await waitFor(() => notified.length === 3);

    expect(notified).toEqual([undefined, 'zone-1', 'zone-2']);
    expect(errors).toEqual([]);
  });

  it('a flood by a login without other rights: at most a thousand notifications are passed on at once, and none that is too long', async () => {
    const { listener, notified, mostAtOnce } = listen(database.url);
    await waitFor(() => listener.isListening);
    const nameserver = database.open({ role: DATABASE_ROLES.nameserver, maxConnections: 1 });
    const flood = (payload: string, times: number) =>
      nameserver.raw(
        `select count(pg_notify(?, ${payload})) from generate_series(1, ${times}) as i`,
        [CHANNELS.dns],
      );
    await flood(`rpad('long' || i, 7999, '.')`, 1_000);
    await flood(`'short' || i`, 50_000);
    // Among many other notifications, ours is reported as "something may have been missed".
    await waitFor(async () => {
      await notify('ours');
      return notified.includes('ours');
    });
    // The number of turns in which the flood arrives depends on the machine.
    expect(mostAtOnce()).toBeLessThanOrEqual(1_000);
    expect(notified.filter((payload) => payload?.startsWith('long'))).toEqual([]);
  });

  it('listens again after its session was ended, and reports that notifications may be missing', async () => {
    const { listener, notified, errors } = listen(database.url);
    await waitFor(() => listener.isListening);
    await database.db.raw(
      'select pg_terminate_backend(pid) from pg_stat_activity where application_name = ?',
      [APPLICATION_NAME],
    );
    await waitFor(() => notified.length === 2);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({ code: '57P01' });

    await notify('after');
    await waitFor(() => notified.length === 3);
    expect(notified).toEqual([undefined, undefined, 'after']);
  });

  it('continues to try while the server does not respond, and reports the loss once', async () => {
    const proxy = await startProxy();
    const { listener, notified, errors } = listen(proxy.url);
    await waitFor(() => listener.isListening);
    for (let outage = 1; outage <= 2; outage++) {
      await proxy.stop();
      await waitFor(() => errors.length === outage);
      expect(listener.isListening).toBe(false);
      // This is long enough for several attempts.
      const end = Date.now() + 800;
      await waitFor(() => Date.now() > end);
      expect(errors).toHaveLength(outage);
      await proxy.start();
      await waitFor(() => listener.isListening);
      expect(notified).toHaveLength(outage + 1);
    }
  });

  it('starts before PostgreSQL', async () => {
    const proxy = await startProxy();
    const { url } = proxy;
    await proxy.stop();
    const { listener, errors } = listen(url);
    await waitFor(() => errors.length === 1);
    expect(errors[0]).toMatchObject({ code: 'ECONNREFUSED' });

    await proxy.start();
    await waitFor(() => listener.isListening);
    await notify('late');
  });

  it('notices within 4 s that a connection is dead, and replaces it', async () => {
    const proxy = await startProxy();
    const { listener, notified, errors } = listen(proxy.url);
    let outages = 0;
    await inTime(5_000, async () => {
      proxy.resume();
      await waitFor(() => listener.isListening);
      outages += 1;
      proxy.stall();
      await waitFor(() => !listener.isListening);
    });
    await notify('missed');

    proxy.resume();
    await waitFor(() => listener.isListening);
    expect(notified).toEqual(Array(outages + 1).fill(undefined));
    expect(errors).toHaveLength(outages);
  });

  it('holds one session, however often it is started', async () => {
    const { listener, notified } = listen(database.url);
    listener.start();
    await waitFor(() => listener.isListening);
    await notify('once');
    await waitFor(() => notified.includes('once'));

    expect(notified).toEqual([undefined, 'once']);
    expect(await countSessions()).toBe(1);
  });

  it('has ended its session when it has stopped, and can be started again', async () => {
    const { listener, notified, errors } = listen(database.url);
    await waitFor(() => listener.isListening);
    await listener.stop();
    expect(listener.isListening).toBe(false);
    await waitFor(async () => (await countSessions()) === 0);
    await notify('unheard');

    listener.start();
    await waitFor(() => listener.isListening);
    expect(notified).toEqual([undefined, undefined]);
    expect(errors).toEqual([]);
  });

  it('can be stopped while it connects; then it neither listens nor retries', async () => {
    const { listener, notified, errors } = listen(database.url);
    await listener.stop();
    await waitFor(async () => (await countSessions()) === 0);

    expect({ notified, errors, isListening: listener.isListening }).toEqual({
      notified: [],
      errors: [],
      isListening: false,
    });
  });

  it('stops within a second even if the server does not respond', async () => {
    const proxy = await startProxy();
    await inTime(1_500, async () => {
      proxy.resume();
      const connected = listen(proxy.url);
      await waitFor(() => connected.listener.isListening);
      proxy.stall();
      const connecting = listen(proxy.url);
      await Promise.all([connected.listener.stop(), connecting.listener.stop()]);
    });
  });
});
