import { describe, expect, it } from '@jest/globals';
import { generatePassword, parseChosenPassword, parsePassword } from './passwords.js';

describe('passwords', () => {
  it('NIST SP 800-63B s5.1.1.2: a chosen password has at least 8 characters, regardless of their bytes', () => {
    expect(parseChosenPassword('😀'.repeat(8), 'ada')).toBe('😀'.repeat(8));
    expect(() => parseChosenPassword('😀'.repeat(7), 'ada')).toThrow('at least 8 characters');
  });

  it("a chosen password differs from the user's name in more than case", () => {
    const choose = () => parseChosenPassword('LoveLace', 'lovelace', '; try again');
    expect(choose).toThrow('must differ from the user name; try again');
  });

  it('a stored password may be weak, but is neither empty nor larger than 1,024 bytes', () => {
    expect(parsePassword('x')).toBe('x');
    expect(parsePassword('ä'.repeat(512))).toHaveLength(512);
    expect(() => parsePassword('')).toThrow('must not be empty');
    expect(() => parsePassword('ä'.repeat(513))).toThrow('at most 1024 bytes');
  });

  it('a generated password has 24 characters that cannot be mistaken for each other', () => {
    expect(generatePassword()).toMatch(/^[A-HJ-NP-Za-km-z2-9]{24}$/);
  });
});
