import { describe, expect, it } from '@jest/globals';
import { readPostgresUrl, withUrlParameter } from './postgres-url.js';

describe('readPostgresUrl (PostgreSQL 16, s34.1.1.3)', () => {
  it('one server keeps its URL unchanged', () => {
    const url = 'postgres://u:p%40ss@db.example:5433/d?sslmode=verify-full&sslrootcert=/etc/ca.pem';
    expect(readPostgresUrl(url)).toEqual({ urls: [url], takesWrites: false });
  });

  it('several servers give one URL each, with all common parts', () => {
    expect(
      readPostgresUrl(
        'postgresql://u:p@one,two:5433,[2001:db8::1]:5434/d?target_session_attrs=read-write&sslmode=require',
      ),
    ).toEqual({
      urls: [
        'postgresql://u:p@one/d?sslmode=require',
        'postgresql://u:p@two:5433/d?sslmode=require',
        'postgresql://u:p@[2001:db8::1]:5434/d?sslmode=require',
      ],
      takesWrites: true,
    });
  });

  it.each([
    ['primary', true],
    ['any', false],
  ])('target_session_attrs=%s', (attribute, takesWrites) => {
    const { urls, ...rest } = readPostgresUrl(`postgres://h/d?target_session_attrs=${attribute}`);
    expect(urls).toEqual(['postgres://h/d']);
    expect(rest).toEqual({ takesWrites });
  });

  it.each([
    ['mysql://h/d', 'must be a URL that starts with postgres://'],
    ['postgres://secret@h:x,h2/d', 'must be a URL that starts with postgres://'],
    ['postgres://secret@h,,h2/d', 'has a host without a name'],
    ['postgres://secret@h/d?target_session_attrs=standby', 'any, read-write or primary'],
    ['postgres://secret@h/d?target_session_attrs=toString', 'any, read-write or primary'],
  ])('%s is refused, and the error does not contain it', (url, message) => {
    expect(() => readPostgresUrl(url)).toThrow(message);
    expect(() => readPostgresUrl(url)).not.toThrow('secret');
  });
});

describe('withUrlParameter', () => {
  it('keeps the servers unchanged', () => {
    expect(withUrlParameter('postgres://u:p@one:1,two:2/d?a=b', 'options', '-c x=y')).toBe(
      'postgres://u:p@one:1,two:2/d?a=b&options=-c+x%3Dy',
    );
  });
});
