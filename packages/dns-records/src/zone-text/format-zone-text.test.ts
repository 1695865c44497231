import { describe, expect, it } from '@jest/globals';
import { DnsSyntaxError } from '../values/problem.js';
import { formatZoneText, type ZoneTextSource } from './format-zone-text.js';
import { parseZoneText } from './parse-zone-text.js';

function record(ownerName: string, type: string, data: string, more = {}): ZoneTextSource {
  return { ownerName, type, data, ttl: null, priority: null, ...more };
}

function format(...records: ZoneTextSource[]): string {
  return formatZoneText({ origin: 'example.com.', defaultTtl: 3_600, records });
}

describe('formatZoneText', () => {
  it('RFC 1035 s5: writes a file that reads back as the same records', () => {
    const text = format(
      record('example.com.', 'SOA', 'ns1.example.com. h\\.m.example.com. 1 14400 3600 1209600 300'),
      record('example.com.', 'MX', 'Mail.example.com.', { priority: 10, ttl: 60 }),
      record('_sip._tcp.example.com.', 'SRV', '5 5060 sip.example.net.', { priority: 1 }),
      record('other.example.net.', 'AAAA', '2001:DB8:0::1'),
    );
    expect(text).toBe(
      [
        '$ORIGIN example.com.',
        '$TTL 3600',
        '@\tIN\tSOA\tns1.example.com. h\\.m.example.com. 1 14400 3600 1209600 300',
        '@\t60\tIN\tMX\t10\tMail.example.com.',
        '_sip._tcp\tIN\tSRV\t1\t5 5060 sip.example.net.',
        'other.example.net.\tIN\tAAAA\t2001:db8::1',
        '',
      ].join('\n'),
    );
    const { records, problems } = parseZoneText(text, { origin: '.' });
    expect(problems).toEqual([]);
    expect(records.map(({ ttl }) => ttl)).toEqual([3_600, 60, 3_600, 3_600]);
  });

  it.each([
    ['free text', 'v=spf1 "x" ; -all', String.raw`"v=spf1 \"x\" ; -all"`],
    ['line ends', 'a\nb IN A 192.0.2.66', String.raw`"a\010b IN A 192.0.2.66"`],
    ['letters outside ASCII', 'ü', String.raw`"\195\188"`],
  ])('D-REC: TXT data never adds lines or comments to the file: %s', (_what, data, written) => {
    const text = format(record('example.com.', 'TXT', data));
    expect(text.split('\n').slice(2)).toEqual([`@\tIN\tTXT\t${written}`, '']);
  });

  it('RFC 1035 s5.1: escapes owner names that would have another meaning in the file', () => {
    const text = format(record(String.raw`\$ORIGIN.\@\032\;.example.com.`, 'A', '192.0.2.1'));
    expect(text).toContain(String.raw`\$origin.\@\032\;` + '\tIN\tA');
  });

  it('refuses to write invalid data', () => {
    expect(() => format(record('example.com.', 'A', '1.2.3\n@ A 192.0.2.1'))).toThrow(
      DnsSyntaxError,
    );
  });
});
