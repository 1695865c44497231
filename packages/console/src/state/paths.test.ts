import { expect, it } from '@jest/globals';
import { paths, readSegment, zoneFileName } from './paths.js';

it.each(['example.com', '0/25.2.0.192.in-addr.arpa'])(
  'the path of %s leads to its screens',
  (name) => {
    const path = paths.history('p', `${name}.`);
    expect(path.split('/')).toHaveLength(6);
    // The router decodes all but reserved characters.
    const [, , , , segment = ''] = decodeURI(path).split('/');
    expect(readSegment(segment)).toBe(name);
    expect(zoneFileName(name)).not.toContain('/');
  },
);
