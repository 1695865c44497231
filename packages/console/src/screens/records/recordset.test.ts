import { describe, expect, it } from '@jest/globals';
import { recordsetFor } from './recordset.js';

const domain = { id: 'zone-id', name: 'example.com.' };
const row = { name: 'www.example.com.', type: 'A', data: '192.0.2.1', priority: null, ttl: 300 };
const known = { ...row, description: null, id: 'one' };
const fresh = { ...row, description: null, data: '192.0.2.2' };
const made = (after: typeof fresh) => [{ before: undefined, after }];

describe('recordsetFor', () => {
  it('has all records of the name and type after the change', () => {
    const others = [
      { ...known, id: 'two', type: 'AAAA', data: '2001:db8::1' },
      { ...known, id: 'three', name: 'example.com.' },
    ];
    expect(recordsetFor(domain, made(fresh), [known, ...others])).toBe(
      [
        'resource "openstack_dns_recordset_v2" "www_example_com_A" {',
        '  zone_id = "zone-id"',
        '  name    = "www.example.com."',
        '  type    = "A"',
        '  ttl     = 300',
        '  records = ["192.0.2.1", "192.0.2.2"]',
        '}',
      ].join('\n'),
    );
  });

  it('has a changed record once, with its new values', () => {
    const text = recordsetFor(domain, [{ before: known, after: fresh }], [known]);
    expect(text).toContain('records = ["192.0.2.2"]');
  });

  it('writes a priority first, and a note', () => {
    const mail = { ...fresh, type: 'MX', data: 'mail.example.com.', description: 'a "note"' };
    const text = recordsetFor(
      domain,
      [{ before: undefined, after: { ...mail, priority: 10 } }],
      [],
    );
    expect(text).toContain('["10 mail.example.com."]');
    expect(text).toContain(String.raw`"a \"note\""`);
  });

  it.each([
    ['not all records are here', made(fresh), undefined],
    ['a deletion', [{ before: known, after: undefined }], [known]],
    ['several at once', [...made(fresh), ...made(fresh)], []],
    ['another TTL beside it', made({ ...fresh, ttl: 60 }), [known]],
    ['another note beside it', made(fresh), [{ ...known, description: 'old' }]],
    ['one that is disabled', made(fresh), [{ ...known, disabled: true }]],
    ['one that expires', made(fresh), [{ ...known, expires_at: '2030-01-01T00:00:00Z' }]],
    ['one with tags', made(fresh), [{ ...known, tags: ['web'] }]],
    ['nameservers of the domain', made({ ...fresh, type: 'NS', name: domain.name }), []],
    ['nothing typed yet', made({ ...fresh, data: '' }), []],
    ['no number typed', made({ ...fresh, ttl: Number.NaN }), []],
  ])('has no warning for: %s', (_what, changes, all) => {
    expect(recordsetFor(domain, changes, all)).toBeUndefined();
  });
});
