import { afterAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from './read-settings.js';
import { integer, optionalText, text, url } from './setting.js';

const TREE = {
  url: url('DATABASE_URL', ['postgres'], { help: 'Where PostgreSQL is.' }),
  keys: text('ENCRYPTION_KEYS', { secret: true, help: 'id:key pairs.' }),
  size: integer('POOL_SIZE', { default: 10, help: 'How many.' }),
  password: optionalText('API_PASSWORD', { secret: true, help: 'May be left out.' }),
};
const REQUIRED = { DATABASE_URL: 'postgres://h/d', ENCRYPTION_KEYS: 'k1:AAAA' };

const folder = mkdtempSync(join(tmpdir(), 'zonewright-setting-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function file(name: string, content: string): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

/** Returns the problem that reading reports, as one text. */
function problem(env: Readonly<Record<string, string>>): string {
  try {
    readSettings(TREE, env);
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

describe('a setting from a file', () => {
  it.each([
    ['unchanged', 'k1:BBBB'],
    ['without the line end that editors add', 'k1:BBBB\n'],
    ['without the line end of other systems', 'k1:BBBB\r\n'],
  ])('X_FILE sets X, %s', (_, content) => {
    const settings = readSettings(TREE, {
      DATABASE_URL_FILE: file('url', 'postgres://u:p@h/d\n'),
      ENCRYPTION_KEYS_FILE: file('keys', content),
      POOL_SIZE_FILE: file('size', '3'),
    });

    expect(settings).toEqual({ url: 'postgres://u:p@h/d', keys: 'k1:BBBB', size: 3 });
  });

  it('removes only the last line end, because other blanks may be part of a password', () => {
    const API_PASSWORD_FILE = file('blanks', ' a b \n\n');

    expect(readSettings(TREE, { ...REQUIRED, API_PASSWORD_FILE }).password).toBe(' a b \n');
  });

  it('an empty X_FILE counts as unset, and so does an empty X beside X_FILE', () => {
    const ENCRYPTION_KEYS_FILE = file('beside', 'k2:CCCC');

    expect(readSettings(TREE, { ...REQUIRED, API_PASSWORD_FILE: '' }).password).toBeUndefined();
    expect(
      readSettings(TREE, { ...REQUIRED, ENCRYPTION_KEYS: '', ENCRYPTION_KEYS_FILE }).keys,
    ).toBe('k2:CCCC');
  });

  it('refuses both settings together, because neither has priority', () => {
    const env = { ...REQUIRED, ENCRYPTION_KEYS_FILE: file('both', 'k2:CCCC') };

    expect(problem(env)).toBe('ENCRYPTION_KEYS and ENCRYPTION_KEYS_FILE are both set: unset one');
  });

  it('names a file that cannot be read or is empty, but never its content', () => {
    const missing = join(folder, 'missing');

    expect(
      problem({
        DATABASE_URL_FILE: file('wrong', 'mysql://u:hunter2@h/d'),
        ENCRYPTION_KEYS_FILE: missing,
        POOL_SIZE_FILE: folder,
        API_PASSWORD_FILE: file('empty', '\n'),
      }).split('\n'),
    ).toEqual([
      'DATABASE_URL must be a URL that starts with postgres://',
      `ENCRYPTION_KEYS_FILE names a file that cannot be read: ${missing} (ENOENT)`,
      `POOL_SIZE_FILE names a file that cannot be read: ${folder} (EISDIR)`,
      `API_PASSWORD_FILE names a file that is empty: ${join(folder, 'empty')}`,
    ]);
  });
});
