import { describe, expect, it } from '@jest/globals';
import { problemsOf, ServiceError } from '@zonewright/service-kit';
import { readFile } from './read-file.js';
import type { Column } from './import-request.js';

const OPTIONS = { domain: undefined, fallbackTtl: 3_600, maxRecords: 100_000 };

/** Shows records as `owner ttl type [priority] data`, and skipped lines as `line code`. */
async function read(text: string, domain?: string) {
  const file = await readFile(text, { ...OPTIONS, domain });
  return {
    form: file.form,
    domain: file.domain,
    records: file.records.map(({ ownerName, ttl, type, priority, data }) =>
      [ownerName, ttl, type, ...(priority === null ? [] : [priority]), data].join(' '),
    ),
    skipped: file.notTaken.map(({ line, code }) => `${line} ${code}`),
    reasons: file.notTaken.map(({ reason }) => reason),
    extras: file.records.map(({ extras }) => extras),
  };
}

async function refusalOf(text: string): Promise<string> {
  const error: unknown = await readFile(text, OPTIONS).catch((thrown: unknown) => thrown);
  if (!(error instanceof ServiceError)) throw new Error('the file was read');
  return problemsOf(error)[0]?.message ?? '';
}

const json = (value: unknown) => JSON.stringify(value, undefined, 1);

describe('Zone files of providers', () => {
  it('Cloudflare: 1 is Auto, tags and comments are kept, and proxied records are known', async () => {
    const file = await read(
      [
        ';;',
        ';; Domain:     example.com.',
        ';; Exported:   2026-11-28 10:00:00',
        ';;',
        ';; SOA Record',
        'example.com\t3600\tIN\tSOA\ta.ns.cloudflare.com. dns.cloudflare.com. 1 10000 2400 604800 3600',
        ';; A Records',
        'www.example.com.\t1\tIN\tA\t192.0.2.1 ; the shop cf_tags=cf-proxied:true,team:"web, mail"',
        'ftp.example.com.\t1\tIN\tA\t192.0.2.2 ; cf_tags=cf-proxied:false',
        'example.com.\t600\tIN\tMX\t10 mail.example.com. ; only a comment',
      ].join('\n'),
    );
    expect(file).toMatchObject({ form: 'cloudflare', domain: 'example.com.', skipped: [] });
    expect(file.records.slice(1)).toEqual([
      'www.example.com. 300 A 192.0.2.1',
      'ftp.example.com. 300 A 192.0.2.2',
      'example.com. 600 MX 10 mail.example.com.',
    ]);
    expect(file.extras.slice(1)).toEqual([
      { description: 'the shop', tags: ['team:web, mail'], isProxied: true },
      {},
      { description: 'only a comment' },
    ]);
  });

  it('GoDaddy: the domain is in a comment', async () => {
    const text =
      '; Domain: example.com\n; Exported (y-m-d hh:mm:ss): 2026-11-28 10:00:00\n;\n@\t600\t IN \tA\t192.0.2.1\n';
    expect(await read(text)).toMatchObject({
      form: 'godaddy',
      domain: 'example.com.',
      records: ['example.com. 600 A 192.0.2.1'],
    });
  });

  it.each([
    ['CR as line end', '$ORIGIN example.com.\r@ 60 A 192.0.2.1\rwww 60 A 192.0.2.2\r'],
    ['CR LF', '$ORIGIN example.com.\r\n@ 60 A 192.0.2.1\r\nwww 60 A 192.0.2.2\r\n'],
    ['a byte order mark', '\ufeff$ORIGIN example.com.\n@ 60 A 192.0.2.1\nwww 60 A 192.0.2.2\n'],
  ])('RFC 1035 s5.1: %s', async (_what, text) => {
    expect(await read(text)).toMatchObject({
      domain: 'example.com.',
      records: ['example.com. 60 A 192.0.2.1', 'www.example.com. 60 A 192.0.2.2'],
    });
  });

  it('the SOA names the domain, whatever origins precede it', async () => {
    const text =
      '$ORIGIN .\n$TTL 60\nexample.com IN SOA ns.example.com. h.example.com. 1 2 3 4 5\n$ORIGIN sub.example.com.\na A 192.0.2.1\n';
    const file = await read(text);
    expect(file.domain).toBe('example.com.');
    expect(file.records).toContain('a.sub.example.com. 60 A 192.0.2.1');
  });

  it('a file that does not name its domain has none', async () => {
    expect((await read('www 60 A 192.0.2.1')).domain).toBeUndefined();
    expect((await read('@ 60 SOA a. b. 1 2 3 4 5')).domain).toBeUndefined();
  });
});

describe('A table whose columns the request lists', () => {
  const readTable = async (text: string, columns: readonly Column[]) =>
    await readFile(text, { ...OPTIONS, domain: 'example.com.', columns });

  it('has any headings, in any order, and columns that are ignored', async () => {
    const file = await readTable(
      'Zone;Wert;Art;Eintrag\ne.x.;192.0.2.1;A;www\ne.x.;@;CNAME;blog\n',
      ['-', 'data', 'type', 'name'],
    );
    expect(file).toMatchObject({ form: 'table', columns: ['-', 'data', 'type', 'name'] });
    expect(file.records).toMatchObject([
      { line: 2, ownerName: 'www.example.com.', type: 'A', data: '192.0.2.1' },
      { line: 3, ownerName: 'blog.example.com.', type: 'CNAME', data: 'example.com.' },
    ]);
  });

  it('may have no heading', async () => {
    const file = await readTable('A,www,192.0.2.1\n', ['type', 'name', 'data']);
    expect(file.records).toMatchObject([{ line: 1, ownerName: 'www.example.com.' }]);
  });

  it('is refused if its rows are too short', async () => {
    const reading = readTable('www 300 IN A 192.0.2.1\n', ['type', 'name', 'data']);
    await expect(reading).rejects.toThrow(ServiceError);
  });
});

describe('JSON of providers', () => {
  it('Route 53: octal escapes, recordsets with several values, aliases with a suggestion', async () => {
    const file = await read(
      json({
        ResourceRecordSets: [
          {
            Name: 'example.com.',
            Type: 'SOA',
            TTL: 900,
            ResourceRecords: [{ Value: 'ns.e. h.e. 1 2 3 4 5' }],
          },
          {
            Name: '\\052.example.com.',
            Type: 'A',
            TTL: 300,
            ResourceRecords: [{ Value: '192.0.2.1' }, { Value: '192.0.2.2' }],
          },
          {
            Name: 'example.com.',
            Type: 'TXT',
            TTL: 60,
            ResourceRecords: [{ Value: '"a\\344" "b"' }],
          },
          {
            Name: 'example.com.',
            Type: 'A',
            AliasTarget: {
              HostedZoneId: 'Z',
              DNSName: 'lb.example.net.',
              EvaluateTargetHealth: false,
            },
          },
          {
            Name: 'w.example.com.',
            Type: 'A',
            SetIdentifier: 'b',
            Weight: 1,
            TTL: 60,
            ResourceRecords: [{ Value: '192.0.2.3' }],
          },
        ],
      }),
    );
    expect(file).toMatchObject({ form: 'route53', domain: 'example.com.' });
    expect(file.records.slice(1)).toEqual([
      '*.example.com. 300 A 192.0.2.1',
      '*.example.com. 300 A 192.0.2.2',
      'example.com. 60 TXT "a\\228" "b"',
    ]);
    expect(file.skipped.map((each) => each.split(' ')[1])).toEqual(['alias', 'alias']);
    expect(file.reasons[0]).toContain('is an alias of lb.example.net.');
    expect(file.reasons[0]).toContain('Create A records');
  });

  it('Cloudflare API', async () => {
    const file = await read(
      json({
        result: [
          {
            name: 'www.example.com',
            type: 'A',
            content: '192.0.2.1',
            proxied: true,
            ttl: 1,
            comment: 'shop',
            tags: ['a:b'],
          },
          {
            name: 'example.com',
            type: 'MX',
            content: 'mail.example.com',
            priority: 10,
            ttl: 60,
            proxied: false,
          },
          { name: 'example.com', type: 'TXT', content: 'v=spf1 -all', ttl: 60 },
          {
            name: '_sip._tcp.example.com',
            type: 'SRV',
            content: '5 5060 sip.example.com',
            priority: 1,
            ttl: 60,
          },
        ],
      }),
      'example.com.',
    );
    expect(file.form).toBe('cloudflare-json');
    expect(file.records).toEqual([
      'www.example.com. 300 A 192.0.2.1',
      'example.com. 60 MX 10 mail.example.com.',
      'example.com. 60 TXT "v=spf1 -all"',
      '_sip._tcp.example.com. 60 SRV 1 5 5060 sip.example.com.',
    ]);
    expect(file.extras[0]).toEqual({ description: 'shop', tags: ['a:b'], isProxied: true });
  });

  it('DigitalOcean', async () => {
    const record = {
      id: 1,
      priority: null,
      port: null,
      weight: null,
      flags: null,
      tag: null,
      ttl: 1800,
    };
    const file = await read(
      json({
        domain_records: [
          { ...record, type: 'A', name: '@', data: '192.0.2.1' },
          { ...record, type: 'CNAME', name: 'www', data: '@' },
          { ...record, type: 'MX', name: '@', data: 'mail.example.net', priority: 10 },
          {
            ...record,
            type: 'SRV',
            name: '_sip._tcp',
            data: 'sip.example.net',
            priority: 1,
            weight: 2,
            port: 3,
          },
          { ...record, type: 'CAA', name: '@', data: 'letsencrypt.org', flags: 0, tag: 'issue' },
          { ...record, type: 'TXT', name: '@', data: 'say "hi"; x' },
        ],
      }),
      'example.com.',
    );
    expect(file.form).toBe('digitalocean');
    expect(file.records).toEqual([
      'example.com. 1800 A 192.0.2.1',
      'www.example.com. 1800 CNAME example.com.',
      'example.com. 1800 MX 10 mail.example.net.',
      '_sip._tcp.example.com. 1800 SRV 1 2 3 sip.example.net.',
      'example.com. 1800 CAA 0 issue "letsencrypt.org"',
      'example.com. 1800 TXT "say \\"hi\\"; x"',
    ]);
  });

  it('Hetzner: DNS Console and Cloud API', async () => {
    const records = [
      { id: '1', type: 'A', name: 'www', value: '192.0.2.1', ttl: 60, zone_id: 'z' },
    ];
    const old = await read(json({ records, meta: {} }), 'example.com.');
    expect(old).toMatchObject({ form: 'hetzner', records: ['www.example.com. 60 A 192.0.2.1'] });
    const rrsets = [
      {
        name: '@',
        type: 'MX',
        ttl: null,
        records: [{ value: '10 mail.example.net.', comment: 'x' }],
      },
    ];
    const cloud = await read(json({ rrsets }), 'example.com.');
    expect(cloud).toMatchObject({
      form: 'hetzner-cloud',
      records: ['example.com. 3600 MX 10 mail.example.net.'],
    });
  });

  it('GoDaddy API, where a parked name is not an address', async () => {
    const file = await read(
      json([
        { data: 'Parked', name: '@', ttl: 600, type: 'A' },
        { data: 'mail.example.net', name: '@', ttl: 600, type: 'MX', priority: 10 },
        {
          data: 'sip.example.net',
          name: '@',
          ttl: 600,
          type: 'SRV',
          priority: 1,
          weight: 2,
          port: 3,
          service: '_sip',
          protocol: '_tcp',
        },
      ]),
      'example.com.',
    );
    expect(file).toMatchObject({ form: 'godaddy-json', skipped: ['2 alias'] });
    expect(file.records).toEqual([
      'example.com. 600 MX 10 mail.example.net.',
      '_sip._tcp.example.com. 600 SRV 1 2 3 sip.example.net.',
    ]);
  });

  it('Google Cloud DNS: JSON and YAML', async () => {
    const records = ['example.com. 300 A 192.0.2.1', 'example.com. 300 A 192.0.2.2'];
    const set = {
      kind: 'dns#resourceRecordSet',
      name: 'example.com.',
      rrdatas: ['192.0.2.1', '192.0.2.2'],
      ttl: 300,
      type: 'A',
    };
    expect(await read(json([set]))).toMatchObject({ form: 'google', records });
    const yaml =
      '---\nkind: dns#resourceRecordSet\nname: example.com.\nrrdatas:\n- 192.0.2.1\n- 192.0.2.2\nttl: 300\ntype: A\n---\nkind: dns#resourceRecordSet\nname: w.example.com.\nrrdatas:\n- \'"a b"\'\nttl: 60\ntype: TXT\n';
    const file = await read(yaml);
    expect(file.form).toBe('google-yaml');
    expect(file.records).toEqual([...records, 'w.example.com. 60 TXT "a b"']);
  });

  it('Azure: recordsets of the command and of the REST API', async () => {
    const type = (name: string) => `Microsoft.Network/dnszones/${name}`;
    const file = await read(
      json([
        {
          name: '@',
          fqdn: 'example.com.',
          type: type('MX'),
          TTL: 3600,
          MXRecords: [{ preference: 10, exchange: 'mail.example.net' }],
        },
        { name: 'www', type: type('CNAME'), TTL: 60, CNAMERecord: { cname: 'app.example.net' } },
        {
          name: '@',
          type: type('TXT'),
          properties: { TTL: 60, TXTRecords: [{ value: ['a b', 'c'] }] },
        },
        {
          name: 'lb',
          type: type('A'),
          TTL: 60,
          ARecords: [],
          targetResource: { id: '/subscriptions/x/ip' },
        },
      ]),
      'example.com.',
    );
    expect(file.form).toBe('azure');
    expect(file.records).toEqual([
      'example.com. 3600 MX 10 mail.example.net.',
      'www.example.com. 60 CNAME app.example.net.',
      'example.com. 60 TXT "a b" "c"',
    ]);
    expect(file.reasons[0]).toContain('alias of the Azure resource /subscriptions/x/ip');
  });

  it('PowerDNS and Technitium, whose disabled records are named', async () => {
    const pdns = await read(
      json({
        name: 'example.com.',
        rrsets: [
          {
            name: 'www.example.com.',
            type: 'A',
            ttl: 60,
            comments: [{ content: 'web' }],
            records: [
              { content: '192.0.2.1', disabled: false },
              { content: '192.0.2.2', disabled: true },
            ],
          },
        ],
      }),
    );
    expect(pdns).toMatchObject({
      form: 'powerdns',
      domain: 'example.com.',
      records: ['www.example.com. 60 A 192.0.2.1'],
      extras: [{ description: 'web' }],
    });
    expect(pdns.skipped).toEqual([expect.stringMatching(/ disabled$/)]);
    const technitium = await read(
      json({
        response: {
          zone: { name: 'example.com', type: 'Primary' },
          records: [
            {
              name: 'example.com',
              type: 'MX',
              ttl: 60,
              disabled: false,
              rData: { preference: 10, exchange: 'mail.example.com' },
              comments: 'm',
            },
            {
              name: 'w.example.com',
              type: 'A',
              ttl: 60,
              disabled: true,
              rData: { ipAddress: '192.0.2.1' },
            },
          ],
        },
      }),
    );
    expect(technitium).toMatchObject({
      form: 'technitium',
      domain: 'example.com.',
      records: ['example.com. 60 MX 10 mail.example.com.'],
      extras: [{ description: 'm' }],
    });
  });

  it('octoDNS: JSON and YAML, with long texts over several lines', async () => {
    const zone = {
      '': [{ type: 'MX', ttl: 60, values: [{ exchange: 'mail.example.net.', preference: 10 }] }],
      '*': { type: 'CNAME', value: 'www.example.com.' },
      www: { type: 'ALIAS', value: 'lb.example.net.' },
    };
    const records = [
      'example.com. 60 MX 10 mail.example.net.',
      '*.example.com. 3600 CNAME www.example.com.',
    ];
    expect(await read(json(zone), 'example.com.')).toMatchObject({ form: 'octodns', records });
    const yaml = [
      '---',
      "'':",
      '  - type: MX',
      '    ttl: 60',
      '    values:',
      '      - exchange: mail.example.net.',
      '        preference: 10',
      "'*':",
      '  type: CNAME # all others',
      '  value: www.example.com.',
      'key._domainkey:',
      '  type: TXT',
      '  values:',
      '    - v=DKIM1\\; k=rsa\\;',
      '      p=MIGf',
      '    - "two: words"',
    ].join('\n');
    const file = await read(yaml, 'example.com.');
    expect(file.form).toBe('octodns-yaml');
    expect(file.records).toEqual([
      ...records,
      'key._domainkey.example.com. 3600 TXT "v=DKIM1; k=rsa; p=MIGf"',
      'key._domainkey.example.com. 3600 TXT "two: words"',
    ]);
  });

  it('YAML as other programs write it: block texts, anchors, flow mappings', async () => {
    const yaml = [
      'www:',
      '  - {type: A, ttl: 60, values: [192.0.2.1, 192.0.2.2]}',
      '  - type: TXT',
      '    value: >-',
      '      one',
      '      two',
      'a:',
      '  - &txt',
      '    type: TXT',
      '    value: "v"',
      '    ttl: &ttl 120',
      '  - type: A',
      '    ttl: *ttl',
      '    value: 192.0.2.3',
      'null:',
      '  type: TXT',
      '  value: 20260101123456789',
    ].join('\n');
    const file = await read(yaml, 'example.com.');
    expect(file.records).toEqual([
      'www.example.com. 60 A 192.0.2.1',
      'www.example.com. 60 A 192.0.2.2',
      'www.example.com. 3600 TXT "one two"',
      'a.example.com. 120 TXT "v"',
      'a.example.com. 120 A 192.0.2.3',
      'null.example.com. 3600 TXT "20260101123456789"',
    ]);
  });

  it.each([
    [
      'a quote that is not closed',
      'www:\n  type: A\n  value: "192.0.2.1',
      /^line 3: .*not valid YAML/,
    ],
    ['levels without end', `www:\n  type: ${'['.repeat(16_000)}`, /^line 1: .*nested too deep/],
    [
      'lists in lists',
      `www:\n  type: A\n  values:\n  ${'- '.repeat(8_000)}a`,
      /^line 1: .*nested too deep/,
    ],
    [
      'aliases of aliases',
      `www:\n  type: A\n  a: &a [x,x,x,x,x,x,x,x]\n${'bcdefgh'
        .split('')
        .map((name, at) => `  ${name}: &${name} [${Array(8).fill(`*${'abcdefgh'[at]}`).join()}]\n`)
        .join('')}`,
      /^line 1: .*aliases/,
    ],
    [
      'a part without end',
      `www:\n  type: A\n${'  value: 192.0.2.1\n'.repeat(5_000)}`,
      /more than 16384 characters/,
    ],
  ])('YAML with %s is refused', async (_, yaml, words) => {
    expect(await refusalOf(yaml)).toMatch(words);
  });

  it('a text that ends in the middle or is not JSON is refused with its line', async () => {
    expect(await refusalOf('{"domain_records": [\n{"type": "A"')).toMatch(/^line 2: .*incomplete/);
    expect(await refusalOf('{"domain_records": [\n{"type": A}]}')).toMatch(
      /^line 2: .*not valid JSON/,
    );
  });
});

describe('Tables and lists', () => {
  it('a heading determines the columns, in any order', async () => {
    const file = await read(
      'Type,Host,Pref,Points To,TTL,Notes\nA,@,,192.0.2.1,60,"a ""web"" server,\nold"\nMX,@,10,mail.example.net,3600,\nTXT,_dmarc,,"v=DMARC1; p=none",,\n',
      'example.com.',
    );
    expect(file.form).toBe('table');
    expect(file.records).toEqual([
      'example.com. 60 A 192.0.2.1',
      'example.com. 3600 MX 10 mail.example.net.',
      '_dmarc.example.com. 3600 TXT "v=DMARC1; p=none"',
    ]);
    expect(file.extras[0]?.description).toContain('a "web" server');
  });

  it.each([
    ['tabs', '\t'],
    ['commas', ','],
    ['semicolons', ';'],
    ['bars', '|'],
  ])('rows with %s and no heading are name, type, data and TTL', async (_what, separator) => {
    const rows = [
      ['www', 'A', '192.0.2.1', '60'],
      ['m.example.com', 'CNAME', 'www', ''],
    ];
    const file = await read(rows.map((row) => row.join(separator)).join('\n'), 'example.com.');
    expect(file.records).toEqual([
      'www.example.com. 60 A 192.0.2.1',
      'm.example.com. 3600 CNAME www.example.com.',
    ]);
  });

  it('a cell cannot contain a directive or a second record', async () => {
    const text =
      'name,type,data\n$TTL,A,192.0.2.1\n"a b",A,192.0.2.1\nc,A,192.0.2.1 (\nd,A,192.0.2.1\n';
    const file = await read(text, 'example.com.');
    expect(file.records).toEqual([
      '\\$ttl.example.com. 3600 A 192.0.2.1',
      'd.example.com. 3600 A 192.0.2.1',
    ]);
    expect(file.skipped).toEqual(['3 syntax', '4 syntax']);
  });

  it('addresses alone, and hosts files', async () => {
    expect((await read('192.0.2.1\n2001:db8::1\n', 'e.x.')).records).toEqual([
      'e.x. 3600 A 192.0.2.1',
      'e.x. 3600 AAAA 2001:db8::1',
    ]);
    const hosts = await read('# web\n192.0.2.1 www.e.x m # both\n', 'e.x.');
    expect(hosts).toMatchObject({
      form: 'hosts',
      records: ['www.e.x. 3600 A 192.0.2.1', 'm.e.x. 3600 A 192.0.2.1'],
    });
  });

  it("Namecheap's hosts", async () => {
    const file = await read(
      '<?xml version="1.0"?>\n<ApiResponse><DomainDNSGetHostsResult Domain="example.com">\n<host HostId="1" Name="@" Type="MX" Address="mail.example.net." MXPref="10" TTL="1800" />\n<host Name="t" Type="TXT" Address="a &quot;b&quot;" MXPref="10" TTL="60"/>\n<host Name="@" Type="URL301" Address="https://e.x/" TTL="60"/>\n</DomainDNSGetHostsResult></ApiResponse>',
    );
    expect(file).toMatchObject({ form: 'namecheap', domain: 'example.com.', skipped: ['5 alias'] });
    expect(file.records).toEqual([
      'example.com. 1800 MX 10 mail.example.net.',
      't.example.com. 60 TXT "a \\"b\\""',
    ]);
  });
});

describe('A file of an unknown form gets one sentence', () => {
  it.each([
    ['<!DOCTYPE html><html>', /web page \(HTML\)/],
    ['<a>x</a>', /XML/],
    ['{"a": 1}', /JSON, but its format is not supported/],
    ['a\0b', /not text/],
    ['resource "aws_route53_record" "www" {\n  name = "x"\n}\n', /Terraform/],
    ['zone "example.com" {\n type master;\n};\n', /configuration of a nameserver/],
    ['one\ntwo words\nthree\nfour\nfive\nsix\n', /text without DNS records/],
    ['=a.e:192.0.2.1:60\n+b.e:192.0.2.1\n.e::ns\n@e::mail:10\n+c.e:192.0.2.1\n', /tinydns/],
  ])('%j', async (text, sentence) => {
    expect(await refusalOf(text)).toMatch(sentence);
  });
});

describe('The cost of a hostile file', () => {
  const LONG = 1_048_576;
  // A pattern that backtracks would take years for some of these texts. Each must be read in a single pass.
  const UNITS = [
    'a',
    '0',
    '.',
    ' ',
    '\t',
    ',',
    ';',
    '"',
    '\\',
    '(',
    '{',
    '[',
    '<',
    '<a ',
    '<a "',
    '-',
    ':',
    '\n',
    '- ',
    ' a:\n',
    'a:\n ',
    '"a',
    ',"',
    '[[',
    '{"a":',
    '#',
    '@',
    '$',
    'A ',
    'a,A,',
  ];

  it.each(UNITS)('1 MB of %j ends in time', async (unit) => {
    for (const start of [
      '',
      '{"rrsets":[',
      '[{"rrdatas":"',
      '<host a="',
      'name,type,data\n"',
      "a:\n  type: A\n  value: '",
    ]) {
      const text = start + unit.repeat(LONG / unit.length);
      await readFile(text, { ...OPTIONS, domain: 'e.x.', maxRecords: 10 }).catch(
        (error: unknown) => {
          expect(error).toBeInstanceOf(ServiceError);
        },
      );
    }
  });
});
