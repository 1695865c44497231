import { describe, expect, it } from '@jest/globals';
import { strikeBody, strikeHeader, strikeUrl } from './watched-fetch.js';

describe('striking out secrets', () => {
  it('removes secrets from an address', () => {
    expect(strikeUrl('https://me:geheim@dns.example/v1/domains?limit=1')).toBe(
      'https://***@dns.example/v1/domains?limit=1',
    );
    expect(strikeUrl('https://identity.example/v2.0/tokens/geheim?belongsTo=x')).toBe(
      'https://identity.example/v2.0/tokens/***?belongsTo=x',
    );
    expect(strikeUrl('https://identity.example/v2.0/tokens')).toMatch(/tokens$/);
  });

  it('removes secrets from a header field', () => {
    expect(strikeHeader(['X-Auth-Token', 'geheim'])).toEqual(['X-Auth-Token', '***']);
    expect(strikeHeader(['If-Match', '"1"'])).toEqual(['If-Match', '"1"']);
  });

  it.each([
    '{"auth":{"passwordCredentials":{"username":"me","password":"geheim"}}}',
    '{"auth":{"apiAccessKeyCredentials":{"accessKey":"A","secretKey":"geheim"}}}',
    '{"auth":{"token":{"id":"geheim"}}}',
    '[{"private_keys":["geheim"]}]',
    'geheim',
  ])('removes secrets from %s', (body) => {
    expect(strikeBody(body)).not.toContain('geheim');
  });

  it('keeps everything else readable', () => {
    expect(strikeBody('{"name":"www.example.com."}')).toBe('{"name":"www.example.com."}');
    expect(strikeBody(JSON.stringify({ data: 'x'.repeat(10_000) }))).toMatch(/10011 characters$/);
  });
});
