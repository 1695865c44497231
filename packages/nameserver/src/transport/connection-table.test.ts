import { describe, expect, it } from '@jest/globals';
import { ConnectionTable } from './connection-table.js';

const table = (maxConnections: number, maxConnectionsPerSource: number) =>
  new ConnectionTable<string>({ maxConnections, maxConnectionsPerSource });

describe('ConnectionTable', () => {
  it('when the table is full, closes the connection with the least recent query', () => {
    const connections = table(2, 2);
    expect(connections.add('first', 'a', 1)).toBeUndefined();
    expect(connections.add('second', 'b', 2)).toBeUndefined();
    connections.touch('first', 3);
    expect(connections.add('third', 'c', 4)).toBe('second');
  });

  it('closes a connection of the same source if that source has too many', () => {
    const connections = table(10, 2);
    connections.add('other', 'b', 0);
    connections.add('first', 'a', 1);
    connections.add('second', 'a', 2);
    connections.touch('first', 3);
    expect(connections.add('third', 'a', 4)).toBe('second');
  });

  it('counts a source from zero when its connections have ended', () => {
    const connections = table(10, 1);
    connections.add('first', 'a', 1);
    connections.remove('first');
    connections.remove('first');
    expect(connections.add('second', 'a', 2)).toBeUndefined();
    expect(connections.size).toBe(1);
  });

  it('lists connections without a recent query, oldest first', () => {
    const connections = table(10, 10);
    connections.add('first', 'a', 1);
    connections.add('second', 'a', 2);
    connections.add('third', 'a', 3);
    connections.touch('first', 4);
    expect(connections.listIdle(13, 10)).toEqual(['second', 'third']);
    expect(connections.listIdle(11, 10)).toEqual([]);
  });

  it('continues from the new time when the clock was set back', () => {
    const connections = table(10, 10);
    connections.add('first', 'a', 1_000);
    connections.add('second', 'a', 1_001);
    expect(connections.listIdle(500, 10)).toEqual([]);
    expect(connections.listIdle(510, 10)).toEqual(['first', 'second']);
  });
});
