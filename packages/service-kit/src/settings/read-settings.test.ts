import { describe, expect, it } from '@jest/globals';
import { listSettings, readSettings, SettingsError } from './read-settings.js';
import { integer, optionalText, port, text, url } from './setting.js';

const TREE = {
  database: {
    url: url('DATABASE_URL', ['postgres'], { help: 'Where PostgreSQL is.' }),
    pool: { size: integer('DATABASE_POOL_SIZE', { default: 10, minimum: 1, help: 'How many.' }) },
  },
  port: port('API_PORT', { default: 9001, help: 'The port.' }),
  keys: text('ENCRYPTION_KEYS', { secret: true, help: 'id:key pairs.' }),
  pin: integer('API_PIN', { secret: true, minimum: 1000, help: 'Four digits.' }),
  password: optionalText('API_PASSWORD', { secret: true, help: 'May be left out.' }),
};
const REQUIRED = {
  DATABASE_URL: 'postgres://user@host/name',
  ENCRYPTION_KEYS: 'k1:AAAA',
  API_PIN: '1234',
};

function problemsOf(env: Readonly<Record<string, string>>): readonly string[] {
  try {
    readSettings(TREE, env);
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
}

describe('readSettings', () => {
  it('returns the tree with values in place of settings, and defaults for the others', () => {
    expect(readSettings(TREE, { ...REQUIRED, API_PORT: '0' })).toEqual({
      database: { url: 'postgres://user@host/name', pool: { size: 10 } },
      port: 0,
      keys: 'k1:AAAA',
      pin: 1234,
      password: undefined,
    });
  });

  it('reports all problems together, each by its variable', () => {
    expect(problemsOf({ DATABASE_POOL_SIZE: '0', API_PORT: 'dns', API_PIN: '1' })).toEqual([
      'DATABASE_URL is not set: Where PostgreSQL is.',
      expect.stringMatching(/^DATABASE_POOL_SIZE must be a whole number from 1 /),
      'API_PORT must be a whole number from 0 to 65535, not "dns"',
      'ENCRYPTION_KEYS is not set: id:key pairs.',
      'API_PIN is malformed: Four digits.',
    ]);
  });

  it('treats an empty variable as unset', () => {
    const settings = readSettings(TREE, { ...REQUIRED, API_PORT: '', API_PASSWORD: '' });

    expect(settings.port).toBe(9001);
    expect(settings.password).toBeUndefined();
    expect(problemsOf({ ...REQUIRED, DATABASE_URL: '' })).toEqual([
      'DATABASE_URL is not set: Where PostgreSQL is.',
    ]);
  });

  it('never repeats a secret, or a URL that may contain one', () => {
    const problems = problemsOf({
      DATABASE_URL: 'mysql://user:hunter2@host/name',
      ENCRYPTION_KEYS: 'k1:AAAA',
      API_PIN: 'hunter2',
    });

    expect(problems).toHaveLength(2);
    expect(problems.join('\n')).not.toContain('hunter2');
  });

  it('has all problems in the message, for programs that print nothing else', () => {
    expect(() => readSettings(TREE, {})).toThrow(
      /^DATABASE_URL is not set.*\nENCRYPTION_KEYS is not set.*\nAPI_PIN is not set/,
    );
  });

  it('freezes the result at every depth', () => {
    const settings = readSettings(TREE, REQUIRED);

    expect(Object.isFrozen(settings)).toBe(true);
    expect(Object.isFrozen(settings.database.pool)).toBe(true);
  });
});

describe('listSettings', () => {
  it('lists every setting of the tree in the order of declaration', () => {
    expect(listSettings(TREE).map(({ variable }) => variable)).toEqual([
      'DATABASE_URL',
      'DATABASE_POOL_SIZE',
      'API_PORT',
      'ENCRYPTION_KEYS',
      'API_PIN',
      'API_PASSWORD',
    ]);
  });
});
