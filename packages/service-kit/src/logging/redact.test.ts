import { describe, expect, it } from '@jest/globals';
import { redactLine, redactSecrets, redactUrlCredentials } from './redact.js';

describe('redactSecrets', () => {
  it.each([
    'password',
    'PASSWORD',
    'newPassword',
    'IDENTITY_DATABASE_PASSWORD',
    'password_hash',
    'passwordHash',
    'secret',
    'secretKey',
    'secret_sealed',
    'DNS_API_SERVICE_SECRET_KEY',
    'token',
    'tokenId',
    'authorization',
    'proxy-authorization',
    'cookie',
    'set-cookie',
    'x-auth-token',
    'X-Auth-Token',
    'X-Auth-Key',
    'x-subject-token',
    'x-storage-token',
    'connectionString',
    'databaseUrl',
    'DATABASE_URL',
    'REDIS_URL',
    'encryptionKeys',
  ])('replaces the value of %s', (name) => {
    expect(redactSecrets({ [name]: 'hunter2' })).toEqual({ [name]: '[redacted]' });
  });

  it.each(['tokens', 'tokenCount', 'userId', 'accessKeyId', 'url', 'status', 'secretary'])(
    'keeps %s',
    (name) => {
      expect(redactSecrets({ [name]: 'seen' })).toEqual({ [name]: 'seen' });
    },
  );

  it('replaces them at any depth, in objects and arrays, regardless of their values', () => {
    const logged = redactSecrets({
      request: { headers: [{ 'x-auth-token': ['hunter2', 'hunter2'] }] },
      auth: { passwordCredentials: { username: 'ada', password: { value: 'hunter2' } } },
      a: { b: { c: { d: { e: { password: 'hunter2' } } } } },
      f: { g: { h: { i: { j: { k: { secret: 'hunter2' } } } } } },
    });

    expect(JSON.stringify(logged)).not.toContain('hunter2');
    expect(logged).toMatchObject({
      request: { headers: [{ 'x-auth-token': '[redacted]' }] },
      auth: { passwordCredentials: { username: 'ada', password: '[redacted]' } },
      f: { g: { h: { i: { j: { k: '[too deep]' } } } } },
    });
  });

  it('replaces the members of errors, of their causes and of the errors they contain', () => {
    const cause = Object.assign(new Error('inner'), { password: 'hunter2' });
    const error = new AggregateError(
      [Object.assign(new Error('one of several'), { token: 'hunter2' })],
      'outer',
      { cause },
    );
    const logged = redactSecrets({ err: Object.assign(error, { authorization: 'hunter2' }) });

    expect(JSON.stringify(logged)).not.toContain('hunter2');
    expect(logged).toMatchObject({
      err: {
        type: 'AggregateError',
        message: 'outer: inner',
        authorization: '[redacted]',
        aggregateErrors: [{ message: 'one of several', token: '[redacted]' }],
      },
    });
  });

  it('shows the length of binary data, and not its content', () => {
    expect(redactSecrets({ key: Buffer.from('hunter2') })).toEqual({ key: '[7 octets]' });
  });

  it('ends on an object that contains itself', () => {
    const circular: Record<string, unknown> = { password: 'hunter2' };
    circular['itself'] = circular;

    expect(JSON.stringify(redactSecrets(circular))).not.toContain('hunter2');
  });

  it('does not change the logged object', () => {
    const original = { password: 'hunter2' };
    redactSecrets(original);

    expect(original.password).toBe('hunter2');
  });
});

describe('redactUrlCredentials', () => {
  it.each([
    ['postgres://ada:hunter2@db:5432/zonewright', 'postgres://[redacted]@db:5432/zonewright'],
    ['redis://:hunter2@cache', 'redis://[redacted]@cache'],
    ['at rediss://ada:hun@ter2@cache/0, then', 'at rediss://[redacted]@cache/0, then'],
    ['http://a:hunter2@x and http://b:hunter2@y', 'http://[redacted]@x and http://[redacted]@y'],
    ['https://host/path/user@example.com', 'https://host/path/user@example.com'],
    ['mail to ada@example.com', 'mail to ada@example.com'],
  ])('%s', (text, expected) => {
    expect(redactUrlCredentials(text)).toBe(expected);
  });
});

describe('redactLine', () => {
  it('replaces members of JSON texts, including escaped quotes', () => {
    const line = JSON.stringify({
      req: { 'X-Auth-Token': 'hun"ter2\\', id: 1 },
      msg: 'at postgres://u:hun"ter2@h/d',
    });

    expect(JSON.parse(redactLine(line))).toEqual({
      req: { 'X-Auth-Token': '[redacted]', id: 1 },
      msg: 'at postgres://[redacted]@h/d',
    });
  });

  it('takes time linear in the length of the line', () => {
    const started = performance.now();
    redactLine(`"${'a://'.repeat(50_000)}`);
    redactLine(`"password":"${'\\"'.repeat(50_000)}`);
    redactLine('"'.repeat(100_000));
    redactLine(`"${'token'.repeat(20_000)}`);

    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
