import { describe, expect, it } from '@jest/globals';
import { normalizeRequestTarget } from './serve-operations.js';

describe('normalizeRequestTarget', () => {
  it.each([
    ['/v1//domains', '/v1/domains'],
    ['/v2.0//tenants?limit=2', '/v2.0/tenants?limit=2'],
    ['/auth/v1.0/', '/auth/v1.0'],
    ['/auth/v1.0//', '/auth/v1.0'],
    ['/v1/domains/?name=a//b/', '/v1/domains?name=a//b/'],
    ['/', '/'],
    ['//', '/'],
    ['', '/'],
    ['?a=b', '/?a=b'],
    ['/v1/a%2F%2Fb', '/v1/a%2F%2Fb'],
    ['/v1/domains', '/v1/domains'],
  ])('D-REQ: %s is %s', (target, expected) => {
    expect(normalizeRequestTarget(target)).toBe(expected);
  });

  it.each([
    ['http://dns.example:9001/v1//domains?limit=1', '/v1/domains?limit=1'],
    ['HTTPS://dns.example', '/'],
    ['http://dns.example?a=b', '/?a=b'],
  ])('RFC 9112 s3.2.2: the absolute form %s is %s', (target, expected) => {
    expect(normalizeRequestTarget(target)).toBe(expected);
  });
});
