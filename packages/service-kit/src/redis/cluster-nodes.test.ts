import { describe, expect, it } from '@jest/globals';
import { readClusterNodes } from './open-redis.js';

const ANSWER = `a1 10.0.0.1:6379@16379,one myself,master - 0 0 1 connected 0-5460 [5461-<-b1]
b1 10.0.0.2:6379@16379 master,fail - 0 0 2 disconnected 5461-10922
b2 fd00::2:6380@16380 master - 0 0 7 connected 5461 5463-10922 [5461->-a1]
c1 :0@0 master,noaddr - 0 0 3 disconnected 10923-16383
c2 10.0.0.3:6381@16381 slave c1 0 0 3 connected
`;

describe('readClusterNodes', () => {
  it.each([
    [0, { host: '10.0.0.1', port: 6379, epoch: 1 }],
    [5_461, { host: 'fd00::2', port: 6380, epoch: 7 }],
    [10_922, { host: 'fd00::2', port: 6380, epoch: 7 }],
    [5_462, undefined],
    [16_383, undefined],
  ])('slot %i', (slot, elected) => {
    const { elected: found } = readClusterNodes(ANSWER, slot, '10.0.0.9');
    if (elected === undefined) expect(found).toBeUndefined();
    else expect(found).toMatchObject(elected);
  });

  it('a node without an address has the one at which it was queried', () => {
    const { elected } = readClusterNodes(
      'a1 :6379@16379 myself,master - 0 0 1 connected 0-16383\n',
      9,
      'h',
    );
    expect(elected).toMatchObject({ host: 'h', port: 6379 });
  });

  it('returns the nodes to query the next time', () => {
    const { nodes } = readClusterNodes(ANSWER, 0, 'h');
    expect(nodes.map(({ port }) => port)).toEqual([6379, 6379, 6380, 6381]);
  });
});
