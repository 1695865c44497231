import { beforeEach, describe, expect, it } from '@jest/globals';
import { RequestGate, type RequestSlot } from '@zonewright/http-api';
import { createLogger, Overload, ServiceError } from '@zonewright/service-kit';
import { Registry } from 'prom-client';

let registry: Registry;
let gate: RequestGate;
let lines: string[];

beforeEach(() => {
  registry = new Registry();
  // A gate can report refusals even after its test has ended, so each test has its own list.
  const own: string[] = (lines = []);
  const log = createLogger('test', 'info', { write: (line) => void own.push(line) });
  gate = new RequestGate({
    load: { maxRequests: 2, maxWaitingRequests: 3 },
    registry,
    metricPrefix: 'test',
    log,
  });
});

/** Starts work that ends on request. */
function openWork() {
  const work = { isAtWork: false, end: (): void => undefined, done: Promise.resolve('') };
  work.done = gate.run(
    () =>
      new Promise<string>((resolve) => {
        work.isAtWork = true;
        work.end = () => {
          resolve('done');
        };
      }),
  );
  work.done.catch(() => undefined);
  return work;
}

const turnOfLoop = () => new Promise((resolve) => setImmediate(resolve));
const metric = async (name: string) =>
  Number(new RegExp(`^test_${name} (\\S+)$`, 'm').exec(await registry.metrics())?.[1]);

describe('RequestGate (10x overload)', () => {
  it('processes a limited number of requests at a time, in order of arrival', async () => {
    const works = [openWork(), openWork(), openWork(), openWork()];
    await turnOfLoop();
    expect(works.map(({ isAtWork }) => isAtWork)).toEqual([true, true, false, false]);
    works[1]?.end();
    expect(await works[1]?.done).toBe('done');
    await turnOfLoop();
    expect(works.map(({ isAtWork }) => isAtWork)).toEqual([true, true, true, false]);
    for (const work of works) {
      await turnOfLoop();
      work.end();
      await work.done;
    }
    expect(await metric('requests_at_work')).toBe(0);
  });

  it('refuses a request at once as unavailable if the queue is full', async () => {
    const works = Array.from({ length: 5 }, openWork);
    const refused = await gate.run(() => Promise.resolve('')).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Overload);
    expect(refused).toMatchObject({ kind: 'unavailable' });
    expect(await metric('requests_waiting')).toBe(3);
    expect(await metric('requests_refused_total')).toBe(1);
    for (const work of works) {
      await turnOfLoop();
      work.end();
    }
  });

  it('refuses requests that waited too long, with one log line for many', async () => {
    const works = Array.from({ length: 5 }, openWork);
    const outcomes = await Promise.allSettled(works.slice(2).map(({ done }) => done));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({ level: 'warn', refused: 3, msg: 'overloaded: requests refused' }),
    ]);
    works[0]?.end();
    works[1]?.end();
  });

  it('answers for late work, which keeps its slot until it ends', async () => {
    let end: () => void = () => undefined;
    let outcome: unknown;
    const work = async (turn: RequestSlot) => {
      await new Promise<void>((resolve) => (end = resolve));
      try {
        turn.checkAwaited();
      } catch (error) {
        outcome = error;
      }
    };
    const late = gate.run(work, { answerWithinMs: 100 });
    await expect(late).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(late).rejects.toBeInstanceOf(ServiceError);
    expect(await metric('requests_at_work')).toBe(1);
    expect(await metric('requests_late_total')).toBe(1);
    end();
    await turnOfLoop();
    expect(await metric('requests_at_work')).toBe(0);
    // The error lets the work undo changes that nobody waits for any longer.
    expect(outcome).toMatchObject({ kind: 'unavailable' });
  });

  it('frees the slot while a request waits aside, and does not count that time', async () => {
    let arrive: () => void = () => undefined;
    const slow = gate.run(
      (turn) => turn.aside(() => new Promise<void>((resolve) => (arrive = resolve))),
      { answerWithinMs: 200 },
    );
    const [one, other] = [openWork(), openWork()];
    expect([one.isAtWork, other.isAtWork]).toEqual([true, true]);
    one.end();
    other.end();
    // The later request exceeds its time. The waiting one would exceed it, too, if its waiting time counted.
    const late = gate.run(() => new Promise<void>(() => undefined), { answerWithinMs: 200 });
    await expect(late).rejects.toMatchObject({ kind: 'unavailable' });
    arrive();
    await expect(slow).resolves.toBeUndefined();
  });

  it('frees the slot when work fails, also aside', async () => {
    const fails = () => Promise.reject(new Error('broken'));
    await expect(gate.run(fails)).rejects.toThrow('broken');
    await expect(gate.run((turn) => turn.aside(fails))).rejects.toThrow('broken');
    expect(await metric('requests_at_work')).toBe(0);
  });

  it('lets final work wait for an event without a slot, and never refuses it', async () => {
    const published: (() => void)[] = [];
    const finals = Array.from({ length: 20 }, () =>
      gate.run(async (turn) => {
        turn.leave();
        await new Promise<void>((resolve) => published.push(resolve));
        return 'written';
      }),
    );
    await turnOfLoop();
    expect(published).toHaveLength(20);
    const works = Array.from({ length: 5 }, openWork);
    await turnOfLoop();
    for (const publish of published) publish();
    expect(new Set(await Promise.all(finals))).toEqual(new Set(['written']));
    for (const work of works) {
      await turnOfLoop();
      work.end();
      expect(await work.done).toBe('done');
    }
  });
});
