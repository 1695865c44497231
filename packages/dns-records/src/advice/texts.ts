import { type Advice, correctTo, dataOfText, point, readTags, type TextRecord } from './advice.js';

const RSA_LEAST_OCTETS = 150;
const ED25519_OCTETS = 32;

/** Checks texts that mail servers look for at names of their own, all of one name. */
export function adviseOnMailTexts(texts: readonly TextRecord[]): Advice[] {
  const [name = ''] = texts.map((each) => each.name);
  if (name.includes('._domainkey.')) return texts.flatMap(adviseOnDkim);
  const kind = KINDS.find(({ prefix }) => name.startsWith(prefix));
  if (kind !== undefined) return adviseOnPolicy(kind, texts);
  return texts.flatMap((record) => {
    const strayed = KINDS.find(({ version }) => version.test(record.text));
    if (strayed === undefined) return [];
    const place = `${strayed.prefix}${name}`;
    const { code, title } = strayed;
    return [
      correctTo(
        record,
        { name: place },
        {
          code: `${code}-place`,
          message: `The ${title} record of ${name} is not at ${place}: mail servers do not find it.`,
          action: `Move it to ${place}`,
        },
      ),
    ];
  });
}

interface PolicyKind {
  readonly code: string;
  readonly title: string;
  readonly source: string;
  /** Labels before the name of the domain. */
  readonly prefix: string;
  readonly version: RegExp;
  readonly example: string;
  /** Returns the problems of the tags behind the version. */
  readonly problems: (tags: ReadonlyMap<string, string>) => readonly string[];
}

const URI_OF_REPORTS = /^mailto:[^\s@,;]+@[^\s@,;]+$/i;

const KINDS: readonly PolicyKind[] = [
  {
    code: 'dmarc',
    title: 'DMARC',
    source: 'RFC 7489 section 6.3',
    prefix: '_dmarc.',
    version: /^v\s*=\s*DMARC1\s*(?:;|$)/,
    example: 'v=DMARC1; p=none; rua=mailto:postmaster@example.com',
    problems: (tags) => [
      ...(/^(?:none|quarantine|reject)$/i.test(tags.get('p') ?? '')
        ? []
        : ['p must be none, quarantine or reject']),
      ...['rua', 'ruf']
        .filter((tag) => !listOfUris(tags.get(tag)).every((uri) => URI_OF_REPORTS.test(uri)))
        .map((tag) => `${tag} must be mailto: and an address`),
      ...(/^(?:\d{1,2}|100)$/.test(tags.get('pct') ?? '100') ? [] : ['pct must be 0 to 100']),
    ],
  },
  {
    code: 'mta-sts',
    title: 'MTA-STS',
    source: 'RFC 8461 section 3.1',
    prefix: '_mta-sts.',
    version: /^v\s*=\s*STSv1\s*(?:;|$)/,
    example: 'v=STSv1; id=20260101',
    problems: (tags) =>
      /^[A-Za-z0-9]{1,32}$/.test(tags.get('id') ?? '')
        ? []
        : ['id must be 1 to 32 letters and digits'],
  },
  {
    code: 'tlsrpt',
    title: 'TLSRPT',
    source: 'RFC 8460 section 3',
    prefix: '_smtp._tls.',
    version: /^v\s*=\s*TLSRPTv1\s*(?:;|$)/,
    example: 'v=TLSRPTv1; rua=mailto:postmaster@example.com',
    problems: (tags) => {
      const uris = listOfUris(tags.get('rua'));
      const isRight = uris.every((uri) => URI_OF_REPORTS.test(uri) || /^https:\/\/\S+$/i.test(uri));
      return uris.length > 0 && isRight ? [] : ['rua must be mailto: and an address, or https:'];
    },
  },
];

function listOfUris(value: string | undefined): readonly string[] {
  return value === undefined
    ? []
    : value.split(',').map((uri) => uri.trim().replace(/!\d+[kmgt]?$/i, ''));
}

function adviseOnPolicy(kind: PolicyKind, texts: readonly TextRecord[]): Advice[] {
  const { code, title, source, version, example } = kind;
  const valid = texts.filter(({ text }) => version.test(text));
  const [first, second] = valid;
  if (first !== undefined && second !== undefined) {
    const message = `${first.name} has ${valid.length} ${title} records: mail servers ignore all of them (${source}).`;
    return [point(second, `${code}-several`, message, 'Keep one of them.')];
  }
  if (first === undefined) {
    const [record] = texts.filter(({ text }) => text.trim() !== '');
    if (record === undefined) return [];
    const message = `The TXT record of ${record.name} does not begin with the version of ${title}: mail servers ignore it (${source}).`;
    return [point(record, `${code}-version`, message, `Write it like this: ${example}`)];
  }
  const tags = readTags(first.text);
  const problems =
    tags === undefined ? ['tags must be separated by semicolons'] : kind.problems(tags);
  if (problems.length === 0) return [];
  const message = `The ${title} record of ${first.name} is not valid: ${problems.join(', ')} (${source}).`;
  return [point(first, `${code}-form`, message, `Write it like this: ${example}`)];
}

/** Checks a DKIM key (RFC 6376 s3.6.1). Long keys are often cut when they are copied into a form. */
function adviseOnDkim(record: TextRecord): Advice[] {
  const problem = problemOfKey(readTags(record.text) ?? new Map());
  if (problem === undefined) return [];
  const isWeak = problem === WEAK;
  const effect = isWeak
    ? 'mail servers ignore it (RFC 8301 section 3.2)'
    : 'mail servers treat its signatures as invalid (RFC 6376 section 3.6.1)';
  return [
    point(
      record,
      isWeak ? 'dkim-weak' : 'dkim-key',
      `The DKIM key of ${record.name} ${problem}: ${effect}.`,
      isWeak
        ? 'Let your mail provider make a key of 2,048 bits.'
        : 'Copy the whole record from your mail provider again. Zonewright splits long text by itself.',
    ),
  ];
}

const WEAK = 'has fewer than 1,024 bits';

function problemOfKey(tags: ReadonlyMap<string, string>): string | undefined {
  const key = tags.get('p')?.replaceAll(/\s/g, '');
  if (key === undefined) return 'has no p= with the public key';
  if ((tags.get('v') ?? 'DKIM1') !== 'DKIM1') return 'has another version than DKIM1';
  // An empty key is revoked.
  if (key === '') return undefined;
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(key)) return 'is not base64';
  const octets = Buffer.from(key, 'base64');
  if (tags.get('k') === 'ed25519')
    return octets.length === ED25519_OCTETS ? undefined : 'is cut, or too long';
  return problemOfRsaKey(octets);
}

function problemOfRsaKey(octets: Uint8Array): string | undefined {
  const length = lengthOfDer(octets);
  if (length === undefined) return 'is not an RSA key';
  if (octets.length < length) return `is cut: it has ${octets.length} of ${length} bytes`;
  return octets.length < RSA_LEAST_OCTETS ? WEAK : undefined;
}

const DER_SEQUENCE = 0x30;
const DER_LONG = 0x80;

/** Returns the length that a SEQUENCE of DER states (X.690 s8.1.3). Undefined for anything else. */
function lengthOfDer(octets: Uint8Array): number | undefined {
  const [tag, first = 0] = octets;
  if (tag !== DER_SEQUENCE) return undefined;
  if (first < DER_LONG) return 2 + first;
  const count = first - DER_LONG;
  return octets.subarray(2, 2 + count).reduce((sum, octet) => sum * 256 + octet, 0) + 2 + count;
}

/** Double quotation marks of typography, to which word processors change `"`. */
const CURLY = '[\\u201c-\\u201f\\u00ab\\u00bb]';
const HAS_CURLY = new RegExp(CURLY, 'u');
const ALL_CURLY = new RegExp(CURLY, 'gu');
const AT_AN_END = new RegExp(`^${CURLY}|${CURLY}$`, 'u');
/** Text that programs read, such as SPF. */
const TAGGED = new RegExp(`^["\\s]?${CURLY}?\\s*v\\s*=`, 'iu');

/** Finds quotation marks that a word processor, or a form that adds its own, has put into a text. */
export function adviseOnQuotes(record: TextRecord): Advice[] {
  const { text, name } = record;
  const isForPrograms = TAGGED.test(text);
  const isQuoted = isForPrograms && /^".*"$/su.test(text);
  const isCurly = isForPrograms ? HAS_CURLY.test(text) : AT_AN_END.test(text);
  if (!isQuoted && !isCurly) return [];
  const plain = text.replaceAll(ALL_CURLY, isForPrograms ? '' : '"').replaceAll(/^"|"$/gu, '');
  return [
    correctTo(
      record,
      { data: dataOfText(plain.trim()) },
      {
        code: 'text-quotes',
        message: `The TXT record of ${name} has quotation marks in its text: programs that look for it do not recognize it.`,
        action: `Remove them: ${plain.trim()}`,
      },
    ),
  ];
}
