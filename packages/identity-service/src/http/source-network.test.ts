import { describe, expect, it } from '@jest/globals';
import { sourceNetwork } from './source-network.js';

describe('sourceNetwork', () => {
  it.each([
    ['192.0.2.77', '192.0.2'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['2001:db8:1:2::', '2001:db8:1:2'],
  ])('decisions 2: %s lies in %s', (address, network) => {
    expect(sourceNetwork(address)).toBe(network);
  });
});
