import { describe, expect, it } from '@jest/globals';
import { nameToWire } from '@zonewright/dns-records';
import { digestName, prefixOfDigestLabel, writeDigestLabel } from './name-digest.js';
import { sha1Digest } from './sha1.js';

/** The NSEC3 parameters of the zone in RFC 5155, appendix A. */
const PARAMETERS = Buffer.from('0100000c04aabbccdd', 'hex');

function labelOf(name: string): string {
  const wire = nameToWire(name);
  digestName(PARAMETERS, 0, wire, 0, wire.length);
  const label = Buffer.alloc(32);
  writeDigestLabel(label);
  return label.toString('latin1');
}

describe('digestName', () => {
  it.each([
    ['example.', '0p9mhaveqvm6t7vbl5lop2u3t2rp3tom'],
    ['a.example.', '35mthgpgcu1qg68fab165klnsnk3dpvl'],
    ['*.w.example.', 'r53bq7cc2uvmubfu5ocmm6pers9tk9en'],
    ['xx.example.', 't644ebqk9bibcna874givr6joj62mlhv'],
  ])('hashes %s as in RFC 5155 appendix A', (name, label) => {
    expect(labelOf(name)).toBe(label);
  });

  it('reads the first word of a hash from its label', () => {
    expect(prefixOfDigestLabel(labelOf('a.example.'))).toBe(sha1Digest[0]! >>> 0);
    expect(prefixOfDigestLabel(labelOf('xx.example.'))).toBe(sha1Digest[0]! >>> 0);
    expect(prefixOfDigestLabel('www')).toBeUndefined();
    expect(prefixOfDigestLabel('wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww')).toBeUndefined();
  });
});
