import { describe, expect, it } from '@jest/globals';
import { renderRecord, toOwnerName, toRecords } from './names.js';

const ZONE = 'example.com.';

describe('toOwnerName', () => {
  it.each([
    ['@', 'example.com.'],
    ['www', 'www.example.com.'],
    ['a.b', 'a.b.example.com.'],
    ['www.example.com', 'www.example.com.'],
    ['WWW.Example.com', 'WWW.Example.com.'],
    ['www.example.com.', 'www.example.com.'],
    ['example.com', 'example.com.'],
    ['notexample.com', 'notexample.com.example.com.'],
    ['*', '*.example.com.'],
  ])('%s', (text, name) => {
    expect(toOwnerName(text, ZONE)).toBe(name);
  });
});

describe('A domain that is shown with capital letters', () => {
  it('completes names in lower case, as records have them', () => {
    const shown = 'Example.COM.';
    const names = ['@', 'www', 'www.example.com'].map((text) => toOwnerName(text, shown));
    expect(names).toEqual(['example.com.', 'www.example.com.', 'www.example.com.']);
    const [record] = toRecords(shown, { name: '@', type: 'MX', words: ['10', 'mail'] });
    expect(record).toMatchObject({ name: 'example.com.', data: 'mail.example.com.' });
  });
});

describe('toRecords', () => {
  it.each([
    ['www A 192.0.2.1 192.0.2.2', ['www.example.com. A 192.0.2.1', 'www.example.com. A 192.0.2.2']],
    ['www cname web.example.net', ['www.example.com. CNAME web.example.net.']],
    ['www CNAME @', ['www.example.com. CNAME example.com.']],
    ['@ MX 10 mail', ['example.com. MX 10 mail.example.com.']],
    ['@ MX mail.example.net.', ['example.com. MX mail.example.net.']],
    ['_sip._tcp SRV 0 5 5060 sip', ['_sip._tcp.example.com. SRV 0 5 5060 sip.example.com.']],
    ['@ TXT v=spf1 -all', ['example.com. TXT v=spf1 -all']],
    ['@ CAA 0 issue "ca.example.net"', ['example.com. CAA 0 issue "ca.example.net"']],
  ])('%s', (line, records) => {
    const [name = '', type = '', ...words] = line.split(' ');
    expect(toRecords(ZONE, { name, type, words }).map(renderRecord)).toEqual(records);
  });
});
