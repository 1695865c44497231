import { describe, expect, it } from '@jest/globals';
import { countDefaultWorkers } from './create-udp-transport.js';

describe('countDefaultWorkers', () => {
  it.each([
    ['one core', 1, undefined, 1],
    ['a small machine: one for each core', 4, undefined, 4],
    ['a node of a cluster: limited, because each worker needs memory', 64, undefined, 8],
    ['a container without a limit', 64, 'max 100000\n', 8],
    ['a container of two cores on a large machine', 64, '200000 100000\n', 2],
    ['a part of a core rounds up', 64, '150000 100000\n', 2],
    ['less than one core', 64, '50000 100000\n', 1],
    ['a limit above the cores of the machine', 2, '800000 100000\n', 2],
    ['a file of another form', 4, 'something', 4],
  ])('%s', (_, cores, cpuMax, expected) => {
    expect(countDefaultWorkers(cores, cpuMax)).toBe(expected);
  });
});
