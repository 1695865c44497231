import { expect, it } from '@jest/globals';
import { pairChanges } from './differences.js';

const record = (name: string, type: string, data: string) => ({ name, type, data });

it('pairs deleted and created records of one name and type, in their order', () => {
  const [old, other, gone] = ['1', '2', '3'].map((data) => record('www', 'A', data));
  const [fresh, second] = ['4', '5'].map((data) => record('www', 'A', data));
  const text = record('www', 'TXT', 'a');
  const alone = record('mail', 'A', '1');
  const before = {
    create: [fresh!, text, second!],
    update: [],
    delete: [old!, other!, gone!, alone],
  };
  expect(pairChanges(before)).toEqual({
    create: [text],
    update: [
      { before: old, after: fresh },
      { before: other, after: second },
    ],
    delete: [gone, alone],
  });
});
