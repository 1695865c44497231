import { describe, expect, it } from '@jest/globals';
import { Overload } from '@zonewright/service-kit';
import { EventEmitter } from 'node:events';
import { Streams } from './upstream.js';

/** Opens streams until one is refused. Returns those that are open. */
function openAll(streams: Streams, ownerOf: (at: number) => [userId: string, projectId: string]) {
  const open: EventEmitter[] = [];
  for (;;) {
    const response = new EventEmitter();
    const [userId, projectId] = ownerOf(open.length);
    try {
      streams.take(response, { userId, projectId });
    } catch (error) {
      expect(error).toBeInstanceOf(Overload);
      return open;
    }
    open.push(response);
  }
}

describe('event streams', () => {
  it('allows one user 64 of 2,000 streams, in all sessions and projects', () => {
    const streams = new Streams(2_000);
    expect(openAll(streams, (at) => ['one', `project-${at}`])).toHaveLength(64);
    expect(openAll(streams, () => ['two', 'project'])).toHaveLength(64);
  });

  it('reserves slots for users of other projects', () => {
    const streams = new Streams(2_000);
    const taken = openAll(streams, (at) => [`user-${at}`, 'hostile']);
    expect(taken).toHaveLength(1_000);
    expect(openAll(streams, (at) => [`other-${at}`, 'honest'])).toHaveLength(500);
  });

  it('frees the slot of a closed stream', () => {
    const streams = new Streams(2_000);
    const open = openAll(streams, () => ['one', 'project']);
    for (const response of open) response.emit('close');
    expect(streams.open).toBe(0);
    expect(openAll(streams, () => ['one', 'project'])).toHaveLength(64);
  });
});
