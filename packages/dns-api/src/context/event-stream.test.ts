import { Writable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '@zonewright/service-kit';
import type { HeldToken } from '../access/token-validator.js';
import { EventStream } from './event-stream.js';

const MINUTE = 60_000;
const good: HeldToken = {
  caller: { userId: 'u', tenantId: 't', roles: [] },
  expiresAt: MINUTE,
  isUnchanged: () => true,
  goodForMs: 10 * MINUTE,
};

/** A client that reads the written data, or nothing. */
function clientOf(takes: boolean) {
  const taken: string[] = [];
  const client = new Writable({
    decodeStrings: false,
    write: (chunk: Buffer | string, _encoding, done) => {
      taken.push(String(chunk));
      if (takes) done();
    },
  });
  return { client, taken };
}

function open({ takes = true, held = good, holdToken = () => Promise.resolve(good) } = {}) {
  const stream = new EventStream(held, holdToken);
  const { client, taken } = clientOf(takes);
  stream.open(client);
  const now = performance.now();
  const tend = (ms: number, clock = 0) => stream.tend(now + ms, clock, () => 'beat');
  return { stream, client, taken, tend };
}

describe('EventStream', () => {
  it('sends a sign of life after 15 s without events', () => {
    const { taken, tend } = open();
    tend(14_000);
    expect(taken).toEqual([]);
    tend(15_100);
    expect(taken).toEqual(['beat']);
  });

  it('disconnects a client that reads more slowly than events are written', () => {
    const { stream, client } = open({ takes: false });
    for (let n = 0; n < 65; n++) stream.send('x'.repeat(1_024));
    expect(client.destroyed).toBe(true);
    expect(stream.endedBy).toBe('slow');
  });

  it('disconnects a client that has read nothing of its pending data for 30 s', () => {
    const { stream, client, tend } = open({ takes: false });
    stream.send('x');
    tend(1_000);
    tend(30_900);
    expect(client.destroyed).toBe(false);
    tend(31_100);
    expect(stream.endedBy).toBe('slow');
  });

  it('ends when its token does', () => {
    const { stream, client, tend } = open();
    tend(0, MINUTE - 1);
    expect(client.writableEnded).toBe(false);
    tend(0, MINUTE);
    expect(client.writableEnded).toBe(true);
    expect(stream.endedBy).toBe('token');
  });

  it('validates its token at intervals, and at once after a revocation', () => {
    const { tend } = open();
    expect(tend(4 * MINUTE)).toBe(false);
    expect(tend(11 * MINUTE)).toBe(true);
    const { tend: tendAfter } = open({ held: { ...good, isUnchanged: () => false } });
    expect(tendAfter(0)).toBe(true);
  });

  it('continues for a while if the token cannot be validated', async () => {
    const away = () => Promise.reject(new ServiceError('unavailable', 'away'));
    const { stream, client } = open({ holdToken: away });
    await stream.validate();
    expect(client.writableEnded).toBe(false);
    const late = open({ held: { ...good, goodForMs: -2 * MINUTE }, holdToken: away });
    await late.stream.validate();
    expect(late.client.writableEnded).toBe(true);
  });
});
