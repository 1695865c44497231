import { describe, expect, it } from '@jest/globals';
import { readRedisUrl } from './redis-url.js';

describe('readRedisUrl', () => {
  it.each([
    ['redis://h', { host: 'h', port: 6379 }],
    ['redis://:p%40ss@h:1/2', { host: 'h', port: 1, password: 'p@ss', db: 2 }],
    ['rediss://u:p@[::1]:1', { host: '::1', port: 1, username: 'u', password: 'p', tls: {} }],
  ])('%s', (url, address) => {
    expect(readRedisUrl(url)).toEqual(address);
  });

  it('accepts a Redis behind sentinels', () => {
    expect(
      readRedisUrl('rediss+sentinel://u:p@one,two:26380/main/1?sentinel_password=s%20s'),
    ).toEqual({
      sentinels: [
        { host: 'one', port: 26_379 },
        { host: 'two', port: 26_380 },
      ],
      name: 'main',
      db: 1,
      username: 'u',
      password: 'p',
      sentinelLogin: { password: 's s', tls: {} },
      tls: {},
    });
  });

  it('accepts a Redis Cluster', () => {
    expect(readRedisUrl('rediss+cluster://u:p@one,[::1]:7001')).toEqual({
      nodes: [
        { host: 'one', port: 6379 },
        { host: '::1', port: 7001 },
      ],
      username: 'u',
      password: 'p',
      tls: {},
    });
  });

  it.each([
    ['rediss://:secret@h?sslrootcert=/there/is/none', 'has an sslrootcert that cannot be read'],
    ['redis+cluster://:secret@h/1', 'has a database'],
    ['redis+cluster://:secret@h,', 'must be a URL that starts with redis://'],
    ['http://secret@h', 'must be a URL that starts with redis://'],
    ['redis://', 'must be a URL that starts with redis://'],
    ['redis://secret@h:99999', 'must be a URL that starts with redis://'],
    ['redis://:secret%@h', 'must be a URL that starts with redis://'],
    ['redis://:secret@h/x', 'has a database that is not a number'],
    ['redis+sentinel://:secret@h', 'lacks the name of the master'],
    ['redis+sentinel://:secret@h/m?db=1', 'allows only the parameters'],
  ])('%s is refused, and the error does not contain it', (url, message) => {
    expect(() => readRedisUrl(url)).toThrow(message);
    expect(() => readRedisUrl(url)).not.toThrow('secret');
  });
});
