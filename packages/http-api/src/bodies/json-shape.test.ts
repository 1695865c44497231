import { describe, expect, it } from '@jest/globals';
import { measureJson } from './parse-json.js';

const shapeOf = (text: string) => measureJson(Buffer.from(text));

describe('measureJson', () => {
  it.each([
    ['null', 0, 0],
    ['{}', 1, 1],
    ['{"a":1,"b":[1,2,3]}', 2, 5],
    ['[[[]]]', 3, 3],
    ['{"a":"[[{,,\\"[{,"}', 1, 1],
    ['"\\\\",[', 1, 2],
    ['[[[[', 4, 4],
    [']]]][[', 0, 2],
    ['"never ends [[[', 0, 0],
    ['"ends with \\', 0, 0],
  ])('%s', (text, depth, values) => {
    expect(shapeOf(text)).toEqual({ depth, values });
  });

  it('stops when the text contains more than is allowed', () => {
    const text = Buffer.from(`[${'[],'.repeat(1_000)}[]]`);
    expect(measureJson(text, { depth: 9, values: 10 })).toEqual({ depth: 2, values: 11 });
    expect(measureJson(text, { depth: 1, values: 9 })).toEqual({ depth: 2, values: 2 });
  });
});
