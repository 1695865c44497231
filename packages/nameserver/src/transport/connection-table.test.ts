import { describe, expect, it } from '@jest/globals';
import { ConnectionTable } from './connection-table.js';

const table = (maxConnections: number, maxConnectionsPerSource: number) =>
  new ConnectionTable<string>({ maxConnections, maxConnectionsPerSource });

describe('ConnectionTable', () => {
  it('gives up the connection that was useful longest ago when all places are taken', () => {
    const connections = table(2, 2);
    expect(connections.add('first', 'a', 1)).toBeUndefined();
    expect(connections.add('second', 'b', 2)).toBeUndefined();
    connections.touch('first', 3);
    expect(connections.add('third', 'c', 4)).toBe('second');
  });

  it('gives up a connection of the same source when that source has too many', () => {
    const connections = table(10, 2);
    connections.add('other', 'b', 0);
    connections.add('first', 'a', 1);
    connections.add('second', 'a', 2);
    connections.touch('first', 3);
    expect(connections.add('third', 'a', 4)).toBe('second');
  });

  it('counts a source anew when its connections have gone', () => {
    const connections = table(10, 1);
    connections.add('first', 'a', 1);
    connections.remove('first');
    connections.remove('first');
    expect(connections.add('second', 'a', 2)).toBeUndefined();
    expect(connections.size).toBe(1);
  });

  it('lists those that have not been useful for a time, longest ago first', () => {
    const connections = table(10, 10);
    connections.add('first', 'a', 1);
    connections.add('second', 'a', 2);
    connections.add('third', 'a', 3);
    connections.touch('first', 4);
    expect(connections.listIdle(13, 10)).toEqual(['second', 'third']);
    expect(connections.listIdle(11, 10)).toEqual([]);
  });

  it('counts from then on when the clock was set back', () => {
    const connections = table(10, 10);
    connections.add('first', 'a', 1_000);
    connections.add('second', 'a', 1_001);
    expect(connections.listIdle(500, 10)).toEqual([]);
    expect(connections.listIdle(510, 10)).toEqual(['first', 'second']);
  });
});
