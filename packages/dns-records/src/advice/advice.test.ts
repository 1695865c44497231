import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  adviseOn,
  type AdvisedRecord,
  dataOfText,
  lookupsOfSpf,
  mergeSpf,
  textOf,
} from './index.js';

const ZONE = 'example.com.';
const [KEY_2048, KEY_512] = [2048, 512].map((modulusLength) =>
  generateKeyPairSync('rsa', { modulusLength })
    .publicKey.export({ type: 'spki', format: 'der' })
    .toString('base64'),
) as [string, string];
const text = (name: string, ...texts: string[]): AdvisedRecord[] =>
  texts.map((each) => ({ name, type: 'TXT', data: dataOfText(each), priority: null }));
const one = (name: string, type: string, data: string): AdvisedRecord[] => [
  { name, type, data, priority: type === 'MX' ? 10 : null },
];
const dkim = (key: string) => text('a._domainkey.example.com.', `v=DKIM1; k=rsa; p=${key}`);
const codes = (records: AdvisedRecord[]) => adviseOn(records, ZONE).map(({ code }) => code);
const caa = (data: string) => one(ZONE, 'CAA', data);

describe('adviseOn', () => {
  it.each<[string, AdvisedRecord[]]>([
    [
      'one SPF record',
      text(
        ZONE,
        'v=spf1 mx a:mail.example.com/24 ip4:192.0.2.0/24 ip6:2001:db8::/32 include:_spf.example.net ~all',
      ),
    ],
    [
      'SPF with a modifier that nobody knows (RFC 7208 s6)',
      text(ZONE, 'v=spf1 mx -all exp=why.example.com color=red'),
    ],
    ['SPF and another text', text(ZONE, 'v=spf1 -all', 'google-site-verification=abc')],
    ['a whole DKIM key', dkim(KEY_2048)],
    ['a DKIM key that is revoked', dkim('')],
    [
      'an ed25519 key',
      text(
        'b._domainkey.example.com.',
        'v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
      ),
    ],
    [
      'DMARC',
      text(
        '_dmarc.example.com.',
        'v=DMARC1; p=reject; sp=none; pct=50; rua=mailto:a@example.com!10m,mailto:b@example.net',
      ),
    ],
    ['DMARC of a subdomain', text('_dmarc.sub.example.com.', 'v=DMARC1;p=none')],
    ['MTA-STS', text('_mta-sts.example.com.', 'v=STSv1; id=20260101T000000;')],
    ['TLSRPT', text('_smtp._tls.example.com.', 'v=TLSRPTv1;rua=https://reports.example.net/v1')],
    ['CAA of an authority', caa('0 issue "letsencrypt.org"')],
    [
      'CAA with parameters',
      caa('0 issue "ca.example.net; account=230123; validationmethods=dns-01"'),
    ],
    ['CAA that allows nobody', caa('0 issue ";"')],
    ['CAA for reports', caa('0 iodef "mailto:security@example.com"')],
    ['a quotation in prose', text(ZONE, 'We say “hello” to all')],
    ['a target in a top-level domain', one('www.example.com.', 'CNAME', 'app.example.co.uk.')],
    ['a target in a private network', one('www.example.com.', 'CNAME', 'nas.local.')],
    ['a target that means no service', one(ZONE, 'MX', '.')],
    ['an address of nobody', one(ZONE, 'A', '192.0.2.1')],
    [
      'a name that only looks doubled',
      one('example.com.myexample.com.example.com.', 'A', '192.0.2.1'),
    ],
  ])('has none for %s', (_, records) => {
    expect(codes(records)).toEqual([]);
  });

  it.each<[string, string, AdvisedRecord[]]>([
    [
      'RFC 7208 s4.5: several SPF records',
      'spf-several',
      text(ZONE, 'v=spf1 mx -all', 'v=spf1 a ~all'),
    ],
    [
      'RFC 7208 s4.6.4: eleven lookups',
      'spf-lookups',
      text(
        ZONE,
        `v=spf1 ${Array.from({ length: 11 }, (_, at) => `include:s${at}.example.net`).join(' ')} -all`,
      ),
    ],
    ['a term of another spelling', 'spf-term', text(ZONE, 'v=spf1 ipv4:192.0.2.1 -all')],
    ['an address that is none', 'spf-term', text(ZONE, 'v=spf1 ip4:192.0.2.300 -all')],
    ['terms behind all', 'spf-after-all', text(ZONE, 'v=spf1 -all include:_spf.example.net')],
    ['SPF for everybody', 'spf-allows-all', text(ZONE, 'v=spf1 mx +all')],
    ['another version of SPF', 'spf-version', text(ZONE, 'v=spf1; mx -all')],
    ['curly quotes', 'text-quotes', text(ZONE, '“v=spf1 mx -all”')],
    ['quotes in quotes', 'text-quotes', text(ZONE, '"v=spf1 mx -all"')],
    ['a DKIM key that is cut', 'dkim-key', dkim(KEY_2048.slice(0, 220))],
    ['a DKIM key with other characters', 'dkim-key', dkim('MIIB…')],
    ['a DKIM record without key', 'dkim-key', text('a._domainkey.example.com.', 'v=DKIM1; k=rsa')],
    ['a DKIM key of 512 bits', 'dkim-weak', dkim(KEY_512)],
    [
      'DMARC without policy',
      'dmarc-form',
      text('_dmarc.example.com.', 'v=DMARC1; rua=mailto:a@example.com'),
    ],
    [
      'DMARC with an address that is no URI',
      'dmarc-form',
      text('_dmarc.example.com.', 'v=DMARC1; p=none; rua=a@example.com'),
    ],
    ['DMARC without semicolons', 'dmarc-version', text('_dmarc.example.com.', 'v=DMARC1 p=none')],
    [
      'two DMARC records',
      'dmarc-several',
      text('_dmarc.example.com.', 'v=DMARC1; p=none', 'v=DMARC1; p=reject'),
    ],
    ['DMARC at the domain itself', 'dmarc-place', text(ZONE, 'v=DMARC1; p=none')],
    [
      'MTA-STS with a date that has dashes',
      'mta-sts-form',
      text('_mta-sts.example.com.', 'v=STSv1; id=2026-01-01'),
    ],
    ['TLSRPT without addresses', 'tlsrpt-form', text('_smtp._tls.example.com.', 'v=TLSRPTv1')],
    ['CAA with a URL', 'caa-value', caa('0 issue "https://letsencrypt.org/"')],
    ['CAA with one label', 'caa-value', caa('0 issue "letsencrypt"')],
    [
      'CAA with a parameter that has no value',
      'caa-value',
      caa('0 issue "letsencrypt.org; dns-01"'),
    ],
    ['CAA with an address for reports', 'caa-value', caa('0 iodef "security@example.com"')],
    ['CAA with a tag that nobody knows', 'caa-tag', caa('0 issuer "letsencrypt.org"')],
    ['a doubled name', 'name-doubled', one('www.example.com.example.com.', 'A', '192.0.2.1')],
    ['a doubled target', 'target-doubled', one(ZONE, 'MX', 'mail.example.com.example.com.')],
    [
      'a target without its domain',
      'target-unfinished',
      one('www.example.com.', 'CNAME', 'app.webx.'),
    ],
    [
      'a target that exists in the domain',
      'target-unfinished',
      [
        ...one('www.example.com.', 'CNAME', 'app.web.'),
        ...one('app.web.example.com.', 'A', '192.0.2.1'),
      ],
    ],
    ['an address of a proxy', 'address-of-proxy', one(ZONE, 'A', '104.21.5.6')],
    [
      'an IPv6 address of a proxy',
      'address-of-proxy',
      one(ZONE, 'AAAA', '2606:4700:3030::6815:506'),
    ],
  ])('finds %s', (_, code, records) => {
    expect(codes(records)).toEqual([code]);
  });

  it.each<[string, AdvisedRecord[], string]>([
    [
      'SPF',
      text(ZONE, 'v=spf1 mx -all', 'v=spf1 include:_spf.example.net ~all'),
      'v=spf1 mx include:_spf.example.net ~all',
    ],
    [
      'a term',
      text(ZONE, 'v=spf1 ipv6:2001:db8::1 192.0.2.1 includes:a.example -all'),
      'v=spf1 ip6:2001:db8::1 ip4:192.0.2.1 include:a.example -all',
    ],
    ['order', text(ZONE, 'v=spf1 ~all mx'), 'v=spf1 mx ~all'],
    ['curly quotes', text(ZONE, '“v=spf1 mx -all”'), 'v=spf1 mx -all'],
  ])('its fix corrects %s', (_, records, right) => {
    const [advice] = adviseOn(records, ZONE);
    expect(advice?.fix?.remove).toHaveLength(records.length);
    expect(textOf(advice?.fix?.add[0]?.data ?? '')).toBe(right);
  });

  it.each<[AdvisedRecord[], Partial<AdvisedRecord>]>([
    [one('www.example.com.example.com.', 'A', '192.0.2.1'), { name: 'www.example.com.' }],
    [
      one('_sip._udp.example.com.', 'SRV', '1 5060 sip.example.com.example.com.'),
      { data: '1 5060 sip.example.com.' },
    ],
    [one('www.example.com.', 'CNAME', 'app.webx.'), { data: 'app.webx.example.com.' }],
    [
      caa('0 issue "https://www.letsencrypt.org/; account=1"'),
      { data: '0 issue "letsencrypt.org; account=1"' },
    ],
    [caa('0 iodef "security@example.com"'), { data: '0 iodef "mailto:security@example.com"' }],
    [text(ZONE, 'v=DMARC1; p=none'), { name: '_dmarc.example.com.' }],
  ])('its fix of %j is %j', (records, right) => {
    const [advice] = adviseOn(records, ZONE);
    expect(advice?.fix).toEqual({ remove: records, add: [{ ...records[0], ...right }] });
  });

  it('has none for what the fix makes', () => {
    const records = text(ZONE, 'v=spf1 ipv4:192.0.2.1 +all');
    const fixed = adviseOn(records, ZONE)[0]?.fix?.add ?? [];
    expect(codes([...adviseOn([...fixed], ZONE)[0]!.fix!.add])).toEqual([]);
  });

  it('ignores data that has no valid form', () => {
    expect(codes([...one(ZONE, 'TXT', '"open'), ...caa('x'), ...one(ZONE, 'A', 'x')])).toEqual([]);
  });
});

describe('mergeSpf', () => {
  it.each([
    [['v=spf1 redirect=a.example'], 'v=spf1 redirect=a.example'],
    [['v=spf1 redirect=a.example', 'v=spf1 mx -all'], 'v=spf1 mx include:a.example -all'],
    [['v=spf1 mx -all', 'v=spf1 mx ?all'], 'v=spf1 mx ?all'],
    [['v=spf1 mx', 'v=spf1 a'], 'v=spf1 mx a ~all'],
    [['v=spf1 ipv4:192.0.2.1 -all', 'v=spf1 a -all'], 'v=spf1 ip4:192.0.2.1 a -all'],
  ])('makes of %j %s', (texts, right) => {
    expect(mergeSpf(texts)).toBe(right);
  });
});

describe('lookupsOfSpf', () => {
  it('RFC 7208 s4.6.4: counts terms that look up, and not redirect beside all', () => {
    const { terms, names } = lookupsOfSpf(
      'v=spf1 a mx ptr exists:%{i}.example ip4:192.0.2.1 include:b.example redirect=c.example ~all',
    );
    expect({ terms, names }).toEqual({ terms: 5, names: ['b.example.'] });
  });
});

describe('dataOfText', () => {
  it('RFC 1035 s3.3: splits a long text into strings of 255 octets', () => {
    const long = 'x'.repeat(600);
    expect(dataOfText(long).split(' ')).toHaveLength(3);
    expect(textOf(dataOfText(long))).toBe(long);
  });
});
