import * as client from '@zonewright/client';
import * as service from '@zonewright/dns-records';
import { describe, expect, it } from '@jest/globals';

// The client runs in browsers and has no dependencies, so these rules exist twice.
const sides = [
  ['the client', client],
  ['the service', service],
] as const;

describe.each(sides)('%s', (_side, { decodeFile, defaultEmail }) => {
  const text = 'www A 192.0.2.1 ; ü\n';
  const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le');

  it.each([
    ['UTF-8', Buffer.from(text), text],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${text}`), text],
    ['UTF-16, little end first', utf16, text],
    ['UTF-16, big end first', Buffer.from(utf16).swap16(), text],
    ['octets of another encoding', Buffer.from('a TXT "ü" b', 'latin1'), 'a TXT "\\252" b'],
    ['octets of another encoding at both ends', Buffer.of(0x80, 0x61, 0xff), '\\128a\\255'],
    ['half of a character of UTF-8', Buffer.of(0x61, 0xc3), 'a\\195'],
    ['nothing', Buffer.alloc(0), ''],
  ])('RFC 1035 s5.1: decodes a file of %s', (_what, octets, expected) => {
    expect(decodeFile(octets)).toBe(expected);
  });

  it.each([
    ['example.com.', 'hostmaster@example.com'],
    ['2.0.192.in-addr.arpa', 'hostmaster@2.0.192.in-addr.arpa'],
    ['0/25.2.0.192.in-addr.arpa.', 'hostmaster@2.0.192.in-addr.arpa'],
  ])('RFC 2317 s4: the default e-mail address of %s is %s', (name, email) => {
    expect(defaultEmail(name)).toBe(email);
  });
});
