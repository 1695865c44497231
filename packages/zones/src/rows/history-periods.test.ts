import { describe, expect, it } from '@jest/globals';
import { periodsOf } from './history-periods.js';

const toB = { serial: 10, giver: 'a', receiver: 'b' };
const back = { serial: 20, giver: 'b', receiver: 'a' };
const toC = { serial: 30, giver: 'a', receiver: 'c' };

describe('the times in which a zone was a tenant’s', () => {
  it.each([
    ['never transferred, of its owner', [], 'a', [{ from: 0, until: undefined }]],
    ['never transferred, of another', [], 'b', []],
    ['transferred, of the giver', [toB], 'a', [{ from: 0, until: 10 }]],
    ['transferred, of the receiver', [toB], 'b', [{ from: 10, until: undefined }]],
    [
      'back again, of the first',
      [toB, back],
      'a',
      [
        { from: 0, until: 10 },
        { from: 20, until: undefined },
      ],
    ],
    ['back again, of the second', [toB, back], 'b', [{ from: 10, until: 20 }]],
    [
      'on to a third, of the first',
      [toB, back, toC],
      'a',
      [
        { from: 0, until: 10 },
        { from: 20, until: 30 },
      ],
    ],
    ['of which the oldest transfer is no longer stored', [back], 'b', [{ from: 0, until: 20 }]],
  ])('%s', (_what, transfers, tenantId, expected) => {
    expect(periodsOf(transfers, { tenantId, owner: 'a' })).toEqual(expected);
  });
});
