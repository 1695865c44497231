import { describe, expect, it } from '@jest/globals';
import { readSettings } from './read-settings.js';
import {
  flag,
  integer,
  list,
  oneOf,
  optionalText,
  optionalUrl,
  port,
  type Setting,
  text,
  url,
} from './setting.js';

const help = 'Decides something.';

/** Returns the value that `text` gives, or the reported problem. */
function read(setting: Setting<unknown>, value: string): unknown {
  try {
    return readSettings({ setting }, { [setting.variable]: value }).setting;
  } catch (error) {
    return (error as Error).message;
  }
}

describe('kinds of settings', () => {
  it.each([
    ['a whole number', integer('N', { help }), '42', 42],
    ['a negative number within its bounds', integer('N', { help, minimum: -5 }), '-5', -5],
    ['the highest number', integer('N', { help, maximum: 7 }), '7', 7],
    ['port 0, which asks for a free one', port('P', { help }), '0', 0],
    ['the highest port', port('P', { help }), '65535', 65_535],
    ['true', flag('F', { help }), 'true', true],
    ['false', flag('F', { help }), 'false', false],
    ['one of its words', oneOf('W', ['hosted', 'off'], { help }), 'off', 'off'],
    ['a list, without blanks and empty words', list('L', { help }), ' a, b ,,c', ['a', 'b', 'c']],
    ['an empty list', list('L', { help }), ',', []],
    ['any text, unchanged', text('T', { help }), '  a b ', '  a b '],
    ['an optional text', optionalText('T', { help }), 'x', 'x'],
    ['a URL, as it was written', url('U', ['http'], { help }), 'http://h', 'http://h'],
    ['an optional URL', optionalUrl('U', ['redis'], { help }), 'redis://h:1/2', 'redis://h:1/2'],
  ])('accepts %s', (_, setting, value, expected) => {
    expect(read(setting, value)).toEqual(expected);
  });

  it.each([
    ['a fraction', integer('N', { help }), '1.5', 'N must be a whole number from 0 to'],
    ['a number with a unit', integer('N', { help }), '5s', 'N must be a whole number'],
    ['a number in hexadecimal', integer('N', { help }), '0x10', 'N must be a whole number'],
    ['a blank', integer('N', { help }), ' ', 'N must be a whole number'],
    [
      'a number below its bounds',
      integer('N', { help, minimum: 1, maximum: 9 }),
      '0',
      'N must be a whole number from 1 to 9, not "0"',
    ],
    [
      'a number that a double cannot hold',
      integer('N', { help }),
      '9007199254740993',
      'N must be a whole number',
    ],
    [
      'a port above 65535',
      port('P', { help }),
      '65536',
      'P must be a whole number from 0 to 65535',
    ],
    ['another spelling of true', flag('F', { help }), 'yes', 'F must be true or false, not "yes"'],
    [
      'a word that is not offered',
      oneOf('W', ['hosted', 'off'], { help }),
      'Off',
      'W must be one of hosted, off, not "Off"',
    ],
    [
      'a URL of another scheme',
      url('U', ['postgres', 'postgresql'], { help }),
      'mysql://h',
      'U must be a URL that starts with postgres:// or postgresql://',
    ],
    [
      'a text that is not a URL',
      optionalUrl('U', ['redis'], { help }),
      'h:6379',
      'U must be a URL',
    ],
  ])('refuses %s, and explains what is valid', (_, setting, value, problem) => {
    expect(read(setting, value)).toContain(problem);
  });

  it('keeps the text of each default for the documentation', () => {
    const defaults = [
      integer('N', { help, default: 5 }),
      flag('F', { help, default: false }),
      list('L', { help, default: ['a', 'b'] }),
      oneOf('W', ['hosted', 'off'], { help, default: 'hosted' }),
      optionalText('T', { help }),
      text('R', { help }),
    ];

    expect(defaults.map((setting) => setting.defaultText)).toEqual([
      '5',
      'false',
      'a,b',
      'hosted',
      '',
      '',
    ]);
  });
});
