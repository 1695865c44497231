import { describe, expect, it } from '@jest/globals';
import { useTestDatabase } from './support/test-database.js';
import { countMostConnections } from '../src/connection/connection-counts.js';
import { openDatabase } from '../src/connection/connection.js';
import { NotificationListener } from '../src/connection/listen.js';

const database = useTestDatabase();

describe('countMostConnections', () => {
  it('counts every open pool and every running listener of the process', async () => {
    const before = countMostConnections();
    const options = { url: database.url, applicationName: 'zonewright-test' };
    const pools = [3, 1].map((maxConnections) => openDatabase({ ...options, maxConnections }));
    const listener = new NotificationListener({
      ...options,
      channel: 'test',
      onNotify: () => undefined,
      onError: () => undefined,
    });
    expect(countMostConnections() - before).toBe(4);
    listener.start();
    listener.start();
    expect(countMostConnections() - before).toBe(5);
    await pools[0]?.destroy();
    expect(countMostConnections() - before).toBe(2);
    await listener.stop();
    await listener.stop();
    await pools[1]?.destroy();
    expect(countMostConnections()).toBe(before);
  });
});
