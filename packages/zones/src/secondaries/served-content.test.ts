import { describe, expect, it } from '@jest/globals';
import { nsec3Fault } from './served-content.js';

const parameters = (iterations: number, algorithm = 1) => {
  return { algorithm, flags: 0, iterations, salt: new Uint8Array() };
};

describe('nsec3Fault', () => {
  it('accepts up to 100 iterations', () => {
    expect(nsec3Fault([parameters(0)])).toBeUndefined();
    expect(nsec3Fault([parameters(100)])).toBeUndefined();
  });

  it('explains what the primary must change', () => {
    expect(nsec3Fault([parameters(101)])).toMatchObject({
      reason: 'nsec3-iterations',
      message: 'its NSEC3 records have 101 iterations, but at most 100 are allowed',
    });
    expect(nsec3Fault([parameters(0, 2)])).toMatchObject({
      reason: 'nsec3-algorithm',
      message: 'its NSEC3 records have the hash algorithm 2, but only 1 (SHA-1) is allowed',
    });
  });

  it('requires one chain that can be answered', () => {
    expect(nsec3Fault([parameters(500), parameters(5), parameters(0, 9)])).toBeUndefined();
    expect(nsec3Fault([parameters(500), parameters(0, 9)])).toMatchObject({
      message: expect.stringContaining('500 iterations'),
    });
  });
});
