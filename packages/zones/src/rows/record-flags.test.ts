import { describe, expect, it } from '@jest/globals';
import { type FlagDescriptor, FlagSet, RECORD_FLAGS } from './record-flags.js';

const SET = {
  ...RECORD_FLAGS.none,
  disabled: true,
  expiresAt: '2099-01-31T12:00:00.000000',
  tags: ['a', 'b'],
};
const OVER = '2001-01-31T12:00:00.000000';

const COMMENT: FlagDescriptor<string | null> = {
  member: 'comment',
  initial: null,
  read: (value) => {
    if (value === null) return null;
    return typeof value === 'string' && /^\P{C}{1,200}$/u.test(value) ? value : undefined;
  },
  rule: 'comment must be null or a text of 1 to 200 visible characters.',
  validator: 'format',
};

describe('flags of records', () => {
  it('are undefined if a request contains none of them', () => {
    expect(RECORD_FLAGS.read({ name: 'a.example.' }, SET)).toEqual({
      flags: undefined,
      problems: [],
    });
  });

  it('stay unchanged if a request contains only others', () => {
    expect(RECORD_FLAGS.read({ tags: ['c', 'a', 'c'] }, SET).flags).toEqual({
      ...SET,
      tags: ['a', 'c'],
    });
  });

  it.each([
    [{ disabled: 'yes' }, 'disabled type'],
    [{ expires_at: 'soon' }, 'expires_at format'],
    [{ expires_at: OVER }, 'expires_at future'],
    [{ tags: 'a' }, 'tags format'],
    [{ tags: ['a b'] }, 'tags format'],
  ])('%j is refused: %s', (values, problem) => {
    const { flags, problems } = RECORD_FLAGS.read(values);
    expect(flags).toBeUndefined();
    expect(problems.map(({ path, validator }) => `${path} ${validator}`)).toEqual([problem]);
  });

  it('may repeat an expiry time in the past', () => {
    const stored = { ...SET, expiresAt: OVER };
    expect(RECORD_FLAGS.read({ expires_at: OVER }, stored).flags).toEqual(stored);
  });

  it('are stored only if a flag is set', () => {
    expect(RECORD_FLAGS.some(RECORD_FLAGS.none)).toBeUndefined();
    expect(RECORD_FLAGS.some(undefined)).toBeUndefined();
    expect(RECORD_FLAGS.some(SET)).toBe(SET);
  });

  it('are restored from the journal, and from an image without flags', () => {
    expect(RECORD_FLAGS.ofMembers(RECORD_FLAGS.toMembers(SET))).toEqual(SET);
    expect(RECORD_FLAGS.ofMembers({ name: 'a.example.' })).toEqual(RECORD_FLAGS.none);
  });

  it.each([
    [SET, true],
    [{ ...SET, tags: ['b', 'a'] }, false],
    [{ ...SET, expiresAt: '2099-01-31T12:00Z' }, false],
    [{ ...SET, more: 1 }, false],
    [{ disabled: true, tags: [] }, false],
    [null, false],
  ])('%j is stored in the row: %s', (value, is) => {
    expect(RECORD_FLAGS.isStored(value)).toBe(is);
  });
});

describe('the worked example of CONTRIBUTING.md', () => {
  const flags = new FlagSet({ comment: COMMENT });

  it('is read, stored, written to the journal and compared', () => {
    const { flags: read } = flags.read({ comment: 'of the web team' });
    expect(read).toEqual({ comment: 'of the web team' });
    expect(flags.isStored(read)).toBe(true);
    expect(flags.ofMembers(flags.toMembers(read))).toEqual(read);
    expect(flags.isSame(read, { comment: null })).toBe(false);
  });

  it('is refused with its rule', () => {
    expect(flags.read({ comment: '' }).problems).toEqual([
      { path: 'comment', validator: 'format', message: COMMENT.rule },
    ]);
  });
});
