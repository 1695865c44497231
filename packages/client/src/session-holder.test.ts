import { describe, expect, it } from '@jest/globals';
import { type Session, SessionHolder } from './session.js';

const HOUR = 3_600_000;

function holder(now = { time: 0 }) {
  const opened: Session[] = [];
  let failures = 0;
  const sessions = new SessionHolder(
    () => {
      if (failures-- > 0) return Promise.reject(new Error('refused'));
      const session: Session = {
        token: `t${opened.length + 1}`,
        expiresAt: now.time + HOUR,
        user: { id: '1', name: 'alice' },
        tenant: undefined,
        roles: [],
        dnsUrl: undefined,
      };
      opened.push(session);
      return Promise.resolve(session);
    },
    () => now.time,
  );
  return { sessions, opened, now, fail: (times: number) => (failures = times) };
}

describe('SessionHolder', () => {
  it('logs in once for concurrent callers', async () => {
    const { sessions, opened } = holder();
    const all = await Promise.all(Array.from({ length: 50 }, () => sessions.get()));
    expect(new Set(all).size).toBe(1);
    expect(opened).toHaveLength(1);
  });

  it('renews a session that ends within five minutes, once for all callers', async () => {
    const { sessions, opened, now } = holder();
    await sessions.get();
    now.time = HOUR - 5 * 60_000 + 1;
    await Promise.all([sessions.get(), sessions.get()]);
    expect(opened).toHaveLength(2);
  });

  it('drops a refused session unless it already has a newer one', async () => {
    const { sessions, opened } = holder();
    const first = await sessions.get();
    sessions.drop(first);
    const second = await sessions.get();
    sessions.drop(first);
    expect(await sessions.get()).toBe(second);
    expect(opened).toHaveLength(2);
  });

  it('a failed log-in fails all waiting callers, and the next caller tries again', async () => {
    const { sessions, fail } = holder();
    fail(1);
    const both = await Promise.allSettled([sessions.get(), sessions.get()]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect((await sessions.get()).token).toBe('t1');
  });
});
