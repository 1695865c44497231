import { describe, expect, it } from '@jest/globals';
import { parseUrlTemplate } from './url-template.js';

describe('parseUrlTemplate (D-ID)', () => {
  it.each([
    ['https://dns.example.com/v1/%(tenant_id)s'],
    ['http://127.0.0.1:9001/'],
    ['https://%(tenant_id)s.dns.example.com/'],
  ])('%s', (template) => {
    expect(parseUrlTemplate('publicUrl', template)).toBe(template);
  });

  it.each([
    [''],
    ['dns.example.com'],
    ['/v1'],
    ['ftp://dns.example.com/'],
    ['https://dns.example.com/%(project_id)s'],
    ['https://dns.example.com/a b'],
  ])('refuses %j', (template) => {
    expect(() => parseUrlTemplate('publicUrl', template)).toThrow(
      'publicUrl must be an absolute http or https URL, without placeholders other than %(tenant_id)s',
    );
  });
});
