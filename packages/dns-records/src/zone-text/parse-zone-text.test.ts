import { describe, expect, it } from '@jest/globals';
import { iterateZoneText, parseZoneText } from './parse-zone-text.js';

/** Shows records as `owner ttl type [priority] data`, and problems as `line: message`. */
function read(text: string, defaultTtl?: number): { records: string[]; problems: string[] } {
  const options = { origin: 'Example.com.', ...(defaultTtl === undefined ? {} : { defaultTtl }) };
  const { records, problems } = parseZoneText(text, options);
  return {
    records: records.map(({ ownerName, ttl, type, priority, data }) =>
      [ownerName, ttl, type, ...(priority === null ? [] : [priority]), data].join(' '),
    ),
    problems: problems.map(({ line, message }) => `${line}: ${message}`),
  };
}

function recordsOf(text: string, defaultTtl = 60): string[] {
  const { records, problems } = read(text, defaultTtl);
  expect(problems).toEqual([]);
  return records;
}

describe('owner names', () => {
  it.each([
    ['a relative name', 'www A 192.0.2.1', 'www.example.com.'],
    ['an absolute name', 'www.Example.NET. A 192.0.2.1', 'www.example.net.'],
    ['the origin', '@ A 192.0.2.1', 'example.com.'],
    ['a wildcard', '* A 192.0.2.1', '*.example.com.'],
    ['an escaped dot', String.raw`a\.b A 192.0.2.1`, String.raw`a\.b.example.com.`],
    ['an escaped semicolon', String.raw`a\;b A 192.0.2.1`, String.raw`a\;b.example.com.`],
    ['octets as \\DDD', String.raw`\097\000 A 192.0.2.1`, String.raw`a\000.example.com.`],
    ['a mnemonic, where a name must be', 'mx A 192.0.2.1', 'mx.example.com.'],
    ['an escaped @', String.raw`\@ A 192.0.2.1`, String.raw`\@.example.com.`],
  ])('RFC 1035 s5.1: %s', (_what, text, ownerName) => {
    expect(recordsOf(text)).toEqual([`${ownerName} 60 A 192.0.2.1`]);
  });

  it('RFC 1035 s5.1: a line that begins with a blank has the owner of the line before', () => {
    expect(recordsOf('www A 192.0.2.1\n A 192.0.2.2\n\n; note\n\tTXT x')).toEqual([
      'www.example.com. 60 A 192.0.2.1',
      'www.example.com. 60 A 192.0.2.2',
      'www.example.com. 60 TXT "x"',
    ]);
  });

  it('never uses an older owner in place of a refused one', () => {
    const { records, problems } = read('a A 192.0.2.1\nb..c A 192.0.2.2\n A 192.0.2.3', 60);
    expect(records).toEqual(['a.example.com. 60 A 192.0.2.1']);
    expect(problems).toEqual([
      expect.stringMatching(/^2: .*empty label/),
      expect.stringMatching(/^3: .*begin the line with the name/),
    ]);
  });

  it('keeps the owner of a line if only its data was refused', () => {
    expect(read('a A 1.2\n A 192.0.2.3', 60).records).toEqual(['a.example.com. 60 A 192.0.2.3']);
  });
});

describe('TTL, class and type', () => {
  it.each([
    'www 300 IN A 192.0.2.1',
    'www IN 300 A 192.0.2.1',
    'www 300 A 192.0.2.1',
    'www 5m in a 192.0.2.1',
    'www CLASS1 300 TYPE1 192.0.2.1',
    '\ufeffwww 300 A 192.0.2.1\r\n',
    'www 300 A ( 192.0.2.1 ) ; address',
    'www 300 IN A (\n\n 192.0.2.1\n)',
  ])('RFC 1035 s5.1, RFC 3597 s5: %j', (text) => {
    expect(recordsOf(text)).toEqual(['www.example.com. 300 A 192.0.2.1']);
  });

  it('RFC 2308 s4: $TTL applies to records without a TTL', () => {
    expect(recordsOf('a TXT x\n$TTL 1h30m\na 5 TXT y\na TXT z')).toEqual([
      'a.example.com. 60 TXT "x"',
      'a.example.com. 5 TXT "y"',
      'a.example.com. 5400 TXT "z"',
    ]);
  });

  it('RFC 1035 s5.1: without $TTL the last stated TTL applies', () => {
    expect(read('a 7 TXT x\na TXT y')).toEqual({
      records: ['a.example.com. 7 TXT "x"', 'a.example.com. 7 TXT "y"'],
      problems: [],
    });
  });

  it("BIND: without any TTL the SOA's minimum applies, also to the following records", () => {
    const { records } = read('@ SOA ns host 1 2 3 4 77\n@ NS ns');
    expect(records.map((record) => record.split(' ')[1])).toEqual(['77', '77']);
  });

  it('refuses a record without any TTL, or after a refused $TTL', () => {
    expect(read('a TXT x').problems).toEqual([expect.stringMatching(/^1: .*no TTL.*\$TTL 3600/)]);
    expect(read('$TTL soon\na TXT x', 60)).toEqual({
      records: [],
      problems: [
        '1: The TTL "soon" is not valid; write seconds from 0 to 2147483647, or units as in "1h30m".',
        expect.stringMatching(/^2: .*no TTL/),
      ],
    });
  });

  it.each([
    ['www CH A 192.0.2.1', 'class "CH" is not supported; write IN'],
    ['www 2147483648 A 192.0.2.1', 'TTL "2147483648" is not valid'],
    ['www 1hh A 192.0.2.1', 'TTL "1hh" is not valid'],
    ['www 300 IN', 'no type'],
    ['www', 'no type'],
    ['www 1 1 A 192.0.2.1', 'type "1" is not supported'],
    ['www MD ca.example.', 'is not supported; write one of NS, A, AAAA'],
    ['www RRSIG A 13 3 1 2 3 4 a. AAAA', 'is managed by this service'],
    ['www TYPE65280 0', 'is not generic rdata; write \\#'],
    ['www TYPE250 \\# 0', 'type "TYPE250" is not supported'],
    ['www IN constructor x', 'type "constructor" is not supported'],
    ['"www" A 192.0.2.1', 'is in quotes'],
  ])('refuses %j with its line', (text, words) => {
    const { records, problems } = read(`; first line\n${text}\nok A 192.0.2.1`, 60);
    expect(records).toEqual(['ok.example.com. 60 A 192.0.2.1']);
    expect(problems).toEqual([expect.stringContaining(words)]);
    expect(problems[0]).toMatch(/^2: /);
  });
});

describe('directives', () => {
  it('RFC 1035 s5.1: $ORIGIN may be relative, and completes @ and relative names', () => {
    expect(recordsOf('$ORIGIN sub\n@ CNAME a\n$origin other.\nb CNAME @')).toEqual([
      'sub.example.com. 60 CNAME a.sub.example.com.',
      'b.other. 60 CNAME other.',
    ]);
  });

  it('never completes relative names with an older origin than a refused one', () => {
    const { records, problems } = read(
      '$ORIGIN a..b\nwww TXT x\nwww.c. TXT y\n$ORIGIN d.\nw TXT z',
      60,
    );
    expect(records).toEqual(['www.c. 60 TXT "y"', 'w.d. 60 TXT "z"']);
    expect(problems).toHaveLength(2);
    expect(problems[1]).toMatch(/^2: .*last \$ORIGIN before this line is not valid/);
  });

  it.each([
    ['$INCLUDE /etc/passwd', '$INCLUDE is not supported'],
    ['$GENERATE 1-4294967295 a$ A 10.0.0.$', 'more than 65536 records'],
    ['$GENERATE 1-2 a$ A', '$GENERATE takes a range, a name, a type and data'],
    ['$GENERATE 2-1 a$ A 10.0.0.$', '"2-1" is not a range'],
    ['$GENERATE 1-2/0 a$ A 10.0.0.$', '"1-2/0" is not a range'],
    ['$GENERATE 1-2 a${0,99} A 10.0.0.$', '"${0,99}" is not a number'],
    ['$GENERATE 1-2 a${0,2,z} A 10.0.0.$', '"${0,2,z}" is not a number'],
    ['$GENERATE 1-2 a${0 A 10.0.0.$', 'is not closed'],
    ['$GENERATE 1-2 a${-2} A 10.0.0.$', 'is below 0'],
    [`$GENERATE 1-2 ${'a'.repeat(1_100)} A 10.0.0.$`, 'more than 1024 characters'],
    ['$DATE 1', 'directive "$DATE" is not supported'],
    ['$ORIGIN', 'exactly one value'],
    ['$TTL 1 2', 'exactly one value'],
  ])('refuses %j', (text, words) => {
    expect(read(text)).toEqual({ records: [], problems: [expect.stringContaining(words)] });
  });
});

describe('$GENERATE', () => {
  const generate = (text: string) =>
    recordsOf(`$GENERATE ${text}`).map((record) => record.replace(' 60 ', ' '));

  it.each([
    ['1-2 $ PTR h$.e.', ['1.example.com. PTR h1.e.', '2.example.com. PTR h2.e.']],
    ['0-4/2 a${1,3} 60 IN A 192.0.2.${10}', ['a001', 'a003', 'a005']],
    ['9-10 h${0,2,x}-${0,2,X}-${0,2,o} A 192.0.2.1', ['h09-09-11', 'h0a-0a-12']],
    ['18-18 ${0,7,n}.ip6 PTR h.', ['2.1.0.0.ip6']],
    [String.raw`1-1 a TXT "\$ $$ $"`, ['a.example.com. TXT "$ $ 1"']],
    ['1-1 a$.other. CNAME @', ['a1.other. CNAME example.com.']],
  ])('BIND 9 manual, "$GENERATE": %s', (text, begins) => {
    const records = generate(text);
    expect(records).toHaveLength(begins.length);
    for (const [at, begin] of begins.entries()) {
      expect(records[at]).toContain(begin);
    }
  });

  it('counts all records of a file, so that many lines cannot generate more', () => {
    const text = '$GENERATE 1-40000 a$ A 192.0.2.1\n'.repeat(2);
    const { records, problems } = read(text, 60);
    expect(records).toHaveLength(40_000);
    expect(problems).toEqual([expect.stringMatching(/^2: .*more than 65536/)]);
  });

  it('an invalid record reports the line of the directive once', () => {
    const { records, problems } = read('$GENERATE 254-300 a$ A 192.0.2.$', 60);
    expect(records).toHaveLength(2);
    expect(problems).toEqual([expect.stringMatching(/^1: .*192\.0\.2\.256/)]);
  });
});

describe('What else is read', () => {
  const OPTIONS = { origin: 'e.', defaultTtl: 1 };

  it('keeps the last comment of an entry, and none of the lines before it', () => {
    const text =
      ';; about\na A 192.0.2.1 ; mail ; out\nb A ( ; one\n 192.0.2.1 ) ;two\nc A 192.0.2.1\n';
    const { records } = parseZoneText(text, OPTIONS);
    expect(records.map(({ comment }) => comment)).toEqual(['mail ; out', 'two', undefined]);
  });

  it('reports the owner of an invalid SOA record', () => {
    const { problems } = parseZoneText('@ SOA a. b. 20240101001 1 1 1 1', OPTIONS);
    expect(problems).toMatchObject([
      { line: 1, soaOwner: 'e.', message: expect.stringContaining('serial "20240101001"') },
    ]);
  });

  it('RFC 1035 s5.1: the fallback TTL is used if no TTL was stated, and does not count as stated', () => {
    const text = 'a TXT x\nb 7 TXT x\nc TXT x\n$TTL soon\nd TXT x';
    const { records, problems } = parseZoneText(text, { origin: 'e.', fallbackTtl: 300 });
    expect(records.map(({ ttl }) => ttl)).toEqual([300, 7, 7]);
    expect(problems.map(({ line }) => line)).toEqual([4, 5]);
  });
});

describe('rdata', () => {
  it.each([
    ['NS ns1', 'NS ns1.example.com.'],
    ['CNAME @', 'CNAME example.com.'],
    ['MX 10 Mail', 'MX 10 Mail.example.com.'],
    ['SRV 1 2 3 sip.other.', 'SRV 1 2 3 sip.other.'],
    ['AAAA 2001:DB8::1', 'AAAA 2001:DB8::1'],
    ['TXT one two', 'TXT "one" "two"'],
    ['TXT "a b" "c;d" (\n"e" )', 'TXT "a b" "c;d" "e"'],
    ['TXT "a""b"c"d"', 'TXT "a" "b" "c" "d"'],
    [String.raw`TXT "a\"b" c\"d e\;f`, String.raw`TXT "a\"b" "c\"d" "e\;f"`],
    ['TXT ""', 'TXT ""'],
    ['SOA ns1 h\\.m (1 ; serial\n 2h 3 4 5)', 'SOA ns1.example.com. h\\.m.example.com. 1 2h 3 4 5'],
    ['A \\# 4 C000 0201', 'A 192.0.2.1'],
    ['TXT \\# 3 026162', 'TXT "ab"'],
  ])('RFC 1035 s5.1, RFC 3597 s5: %j', (rdata, expected) => {
    expect(recordsOf(`a ${rdata}`)).toEqual([`a.example.com. 60 ${expected}`]);
  });

  it.each([
    ['A', 'takes 1 values (address), not 0'],
    ['A 192.0.2.1 192.0.2.2', 'not 2'],
    ['A "192.0.2.1"', 'in quotes'],
    ['NS "ns1"', 'in quotes'],
    ['MX mail', 'takes 2 values'],
    ['MX x mail', 'preference "x" is not a number'],
    ['SRV 1 2 65536 a', 'port "65536"'],
    ['TXT', 'needs a string'],
    ['TXT "\\256"', '000 to 255'],
    ['SOA a b 1 2 3 4', 'takes 7 values'],
    ['A \\# 3 c00002', 'must have 4'],
    ['A \\# 4 c000', '8 hexadecimal digits'],
    ['A \\# 4 c000020g', '8 hexadecimal digits'],
    ['A \\# x', 'rdata length "x"'],
  ])('refuses %j', (rdata, words) => {
    expect(read(`a ${rdata}`, 60)).toEqual({
      records: [],
      problems: [expect.stringContaining(words)],
    });
  });
});

describe('entries that are not well formed', () => {
  it.each([
    ['a string without an end', 'a TXT "open', '1: A quoted string is not closed'],
    ['a backslash at the end', 'a TXT x\\', '1: The line ends with a backslash'],
    ['a ")" too many', 'a A 192.0.2.9 )', '1: A ")" has no matching "("'],
    ['a "(" in parentheses', 'a A ( (', '1: A "(" is not closed before another "("'],
    ['a "(" that is never closed', 'a A (', '1: A "(" is not closed before the end of the text'],
  ])('RFC 1035 s5.1: %s invalidates only one line', (_what, text, words) => {
    const { records, problems } = read(`${text}\nok A 192.0.2.1`, 60);
    expect(records).toEqual(['ok.example.com. 60 A 192.0.2.1']);
    expect(problems).toEqual([expect.stringContaining(words)]);
  });

  it('reports an error below an open "(" once, and the "("', () => {
    expect(read('a A (\nb TXT "open\nc A 192.0.2.1', 60)).toEqual({
      records: ['c.example.com. 60 A 192.0.2.1'],
      problems: [
        expect.stringMatching(/^1: .*not closed before line 2/),
        expect.stringMatching(/^2: A quoted string/),
      ],
    });
  });
});

describe('iterateZoneText', () => {
  it('yields records and problems in the order of their lines, one at a time', () => {
    const items = iterateZoneText('a A 192.0.2.1\nb A x\nc A 192.0.2.1', {
      origin: 'e.',
      defaultTtl: 1,
    });
    expect(items.next().value).toMatchObject({ record: { line: 1, ownerName: 'a.e.' } });
    expect(items.next().value).toMatchObject({ problem: { line: 2 } });
    expect(items.next().value).toMatchObject({ record: { line: 3 } });
    expect(items.next().done).toBe(true);
  });

  it.each([
    ['records', 'h IN MX 10 mail.example.\n'],
    ['open parentheses', '(\n'],
    ['chained parentheses', '(\n)(\n'],
    ['open strings', 'a ( "\n'],
    ['blank lines in parentheses', '( ; x\n\n'],
  ])(
    'takes linear time for 100,000 lines of %s (quadratic time would exceed the limit)',
    (_what, line) => {
      let count = 0;
      for (const item of iterateZoneText(line.repeat(100_000), { origin: 'e.', defaultTtl: 1 })) {
        count += 'nothing' in item ? 0 : 1;
      }
      expect(count).toBeGreaterThanOrEqual(100_000);
    },
  );
});
