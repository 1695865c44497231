import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '@zonewright/testkit';
import { CachedValidator } from '../src/access/cached-validator.js';
import { RenderedLists } from '../src/limits/rendered-lists.js';

const TWELVE_HOURS_MS = 12 * 60 * 60 * 1_000;

const PLACES = { run: <T>(_owner: string, work: () => Promise<T>) => work() };

describe('A clock that jumps by 12 h', () => {
  it.each([
    ['forward', TWELVE_HOURS_MS],
    ['back', -TWELVE_HOURS_MS],
  ])('%s: validates cached tokens again', async (_, jump) => {
    const clock = new FakeClock();
    let questions = 0;
    const caller = { userId: 'user', tenantId: 'tenant', roles: [] };
    const validate = () => {
      questions += 1;
      const revocationsAt = 'this Redis';
      return Promise.resolve({ caller, names: [], revocationsAt, expiresAt: Infinity });
    };
    const validator = new CachedValidator({ validate }, clock, PLACES);
    validator.setHearing('this Redis');
    await validator.validate('token', 'source');
    await validator.validate('token', 'source');
    expect(questions).toBe(1);
    clock.advance(jump);
    await validator.validate('token', 'source');
    expect(questions).toBe(2);
  });

  it.each([
    ['forward', TWELVE_HOURS_MS],
    ['back', -TWELVE_HOURS_MS],
  ])('%s: renders a list again', (_, jump) => {
    const clock = new FakeClock();
    const lists = new RenderedLists(clock);
    lists.keep('key', { body: Buffer.from('[]'), headers: {} });
    expect(lists.find('key')).toBeDefined();
    clock.advance(jump);
    expect(lists.find('key')).toBeUndefined();
  });
});
