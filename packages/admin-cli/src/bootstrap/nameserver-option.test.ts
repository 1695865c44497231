import { describe, expect, it } from '@jest/globals';
import { parseNameserver } from './bootstrap-command.js';

describe('parseNameserver', () => {
  it.each([
    ['ns1-1', { name: 'ns1-1', ipv4: undefined, ipv6: undefined }],
    ['ns1-1=192.0.2.1', { name: 'ns1-1', ipv4: '192.0.2.1', ipv6: undefined }],
    ['ns1-1=2001:db8::1', { name: 'ns1-1', ipv4: undefined, ipv6: '2001:db8::1' }],
    ['ns1-1=2001:db8::1,192.0.2.1', { name: 'ns1-1', ipv4: '192.0.2.1', ipv6: '2001:db8::1' }],
  ])('reads %s', (text, expected) => {
    expect(parseNameserver(text)).toEqual(expected);
  });

  it.each(['ns1-1=192.0.2.1,192.0.2.2', 'ns1-1=2001:db8::1,2001:db8::2'])(
    'refuses two addresses of one family: %s',
    (text) => {
      expect(() => parseNameserver(text)).toThrow(/more than one address/);
    },
  );
});
