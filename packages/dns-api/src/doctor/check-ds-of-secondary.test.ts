import { describe, expect, it } from '@jest/globals';
import { judgeDsOfSecondary } from './check-ds-of-secondary.js';

const NAME = 'dskey.example.com.';
/** The key and the DS of RFC 4034 s5.4 and RFC 4509 s2.3. */
const KEY = Buffer.from(
  'AQOeiiR0GOMYkDshWoSKz9XzfwJr1AYtsmx3TGkJaNXVbfi/2pHm822aJ5iI9BMzNXxeYCmZDRD99WYwYqUSdjMmmAphXdvxegXd/M5+X7OrzKBaMbCVdFLUUh6DhweJBjEVv5f2wwjM9XzcnOf+EPbtG9DMBmADjFDc2w/rljwvFw==',
  'base64',
);
const zsk = { type: 'DNSKEY', rdata: Buffer.concat([Buffer.from([1, 0, 3, 5]), KEY]) };
const DIGEST = 'D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A';
const ds = { keyTag: 60_485, algorithm: 5, digestType: 2, digest: DIGEST };

const codesOf = (apex: Parameters<typeof judgeDsOfSecondary>[1], shown: (typeof ds)[]) =>
  judgeDsOfSecondary(NAME, apex, shown).map(({ severity, code }) => `${severity} ${code}`);

describe('judgeDsOfSecondary', () => {
  it('RFC 4509 s2.3: accepts the DS of a key of the primaries', () => {
    expect(codesOf([zsk], [ds])).toEqual([]);
    expect(codesOf([zsk], [{ ...ds, keyTag: 1 }, ds])).toEqual([]);
    expect(codesOf([], [])).toEqual([]);
  });

  it('RFC 4034 s5.4: accepts other digest types by key tag and algorithm', () => {
    const sha1 = { ...ds, digestType: 1, digest: '2BB183AF5F22588179A53B0A98631FAD1A292118' };
    expect(codesOf([zsk], [sha1])).toEqual([]);
    expect(codesOf([zsk], [{ ...sha1, algorithm: 8 }])).toEqual(['error ds-wrong']);
  });

  it('reports a DS that matches no key, a missing one, and one of an unsigned domain', () => {
    expect(codesOf([zsk], [{ ...ds, digest: '00'.repeat(32) }])).toEqual(['error ds-wrong']);
    expect(codesOf([zsk], [])).toEqual(['warning ds-missing']);
    expect(codesOf([], [ds])).toEqual(['error ds-at-parent']);
    const [missing] = judgeDsOfSecondary(NAME, [zsk], []);
    expect(missing?.action).toContain(`60485 5 2 ${DIGEST.toLowerCase()}`);
  });
});
