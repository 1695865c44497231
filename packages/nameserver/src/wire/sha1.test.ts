import { describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { digestSha1, sha1Digest, sha1Message } from './sha1.js';

function digest(message: Buffer): string {
  sha1Message.set(message);
  digestSha1(message.length);
  const octets = Buffer.alloc(20);
  for (const [word, value] of sha1Digest.entries()) octets.writeInt32BE(value, word * 4);
  return octets.toString('hex');
}

describe('digestSha1', () => {
  it('returns the same digests as node:crypto for each possible length of name and salt', () => {
    for (let length = 0; length <= 510; length++) {
      const message = Buffer.from(Array.from({ length }, (_, at) => (at * 37 + length) & 0xff));
      expect(digest(message)).toBe(createHash('sha1').update(message).digest('hex'));
    }
  });
});
