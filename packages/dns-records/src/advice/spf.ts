import { isIPv4, isIPv6 } from 'node:net';
import {
  type Advice,
  type AdvisedRecord,
  correctTo,
  dataOfText,
  point,
  recordOf,
  type TextRecord,
} from './advice.js';

/** Maximum number of terms that cause DNS queries while SPF is evaluated (RFC 7208 s4.6.4). */
export const MAX_SPF_LOOKUPS = 10;

/** Term of SPF (RFC 7208 s4.6.1). */
interface Term {
  readonly text: string;
  readonly qualifier: string;
  readonly name: string;
  /** `:`, `=`, `/`, or empty. */
  readonly sign: string;
  readonly value: string;
}

const TERM = /^([-+~?]?)([A-Za-z][\w.-]*)(?:([:=/])(.*))?$/;
const MECHANISMS = new Set(['all', 'include', 'a', 'mx', 'ptr', 'ip4', 'ip6', 'exists']);
const LOOKING_UP = new Set(['include', 'a', 'mx', 'ptr', 'exists', 'redirect']);
/** Words that people write for a mechanism. */
const MEANT: Readonly<Record<string, string>> = {
  ip: 'ip4',
  ipv4: 'ip4',
  ipv6: 'ip6',
  includes: 'include',
};

/** Whether a text is SPF (RFC 7208 s4.5). */
export function isSpf(text: string): boolean {
  return /^v=spf1(?: |$)/i.test(text);
}

function readTerms(text: string): Term[] {
  return text
    .split(/\s+/)
    .slice(1)
    .filter((word) => word !== '')
    .map((word) => {
      const [, qualifier = '', name = '', sign = '', value = ''] = TERM.exec(word) ?? [];
      return { text: word, qualifier, name: name.toLowerCase(), sign, value };
    });
}

/** Returns the names whose SPF is evaluated as a part of this one, and the number of terms that cause queries. */
export function lookupsOfSpf(text: string): { readonly terms: number; readonly names: string[] } {
  const all = readTerms(text);
  const hasAll = all.some(({ name }) => name === 'all');
  const counted = all.filter(
    ({ name }) => LOOKING_UP.has(name) && !(name === 'redirect' && hasAll),
  );
  const names = counted.filter(({ name }) => name === 'include' || name === 'redirect');
  return { terms: counted.length, names: names.map(({ value }) => value.replace(/\.?$/, '.')) };
}

/** Checks the SPF texts of one name. */
export function adviseOnSpf(texts: readonly TextRecord[]): Advice[] {
  const spf = texts.filter(({ text }) => isSpf(text));
  const misspelt = texts.filter(({ text }) => !isSpf(text) && /^v=spf/i.test(text));
  return [
    ...adviseOnSeveral(spf),
    ...spf.flatMap(adviseOnTerms),
    ...misspelt.map((record) =>
      point(
        record,
        'spf-version',
        `The TXT record of ${record.name} looks like SPF, but does not begin with "v=spf1" and a space: mail servers ignore it.`,
        'Begin the text with v=spf1 and a space.',
      ),
    ),
  ];
}

/** Several SPF records are an error for every receiver (RFC 7208 s4.5). */
function adviseOnSeveral(spf: readonly TextRecord[]): Advice[] {
  const [first, ...others] = spf;
  if (first === undefined || others.length === 0) return [];
  const text = mergeSpf(spf.map((each) => each.text));
  const about = recordOf(first);
  return [
    {
      code: 'spf-several',
      message: `${first.name} has ${spf.length} SPF records: mail servers accept none of them (RFC 7208 section 4.5).`,
      action: `Keep one: ${text}`,
      about,
      fix: { remove: spf.map(recordOf), add: [{ ...about, data: dataOfText(text) }] },
    },
  ];
}

/** Result of the mechanism `all` in the order of strictness. Merged texts get the least strict one. */
const ALL = ['+', '?', '~', '-'];

/** Returns one SPF text that allows all senders of the given ones. */
export function mergeSpf(texts: readonly string[]): string {
  const terms = texts
    .flatMap(readTerms)
    .map((term) => (isKnown(term) ? term : (correct(term) ?? term)));
  const ends = terms.filter(({ name }) => name === 'all');
  const redirects = terms.filter(({ name }) => name === 'redirect');
  const others = terms.filter(({ name }) => name !== 'all' && name !== 'redirect');
  const isAlone = others.length === 0 && ends.length === 0 && redirects.length === 1;
  const kept = [
    ...others.map(({ text }) => text),
    ...redirects.map(({ text, value }) => (isAlone ? text : `include:${value}`)),
  ];
  const end = ALL.find((sign) => ends.some(({ qualifier }) => (qualifier || '+') === sign));
  const last = isAlone ? [] : [`${end ?? '~'}all`];
  return ['v=spf1', ...new Set(kept), ...last].join(' ');
}

function adviseOnTerms(record: TextRecord): Advice[] {
  const terms = readTerms(record.text);
  const { terms: lookups } = lookupsOfSpf(record.text);
  const wrong = terms.filter((term) => !isKnown(term));
  return [
    ...(lookups > MAX_SPF_LOOKUPS ? [tooManyLookups(record, lookups)] : []),
    ...(wrong.length > 0 ? [wrongTerms(record, terms, wrong)] : []),
    ...adviseOnAll(record, terms),
  ];
}

/** The mechanism `all` matches every sender, so it ends the record. */
function adviseOnAll(record: TextRecord, terms: readonly Term[]): Advice[] {
  const at = terms.findIndex(({ name }) => name === 'all');
  const all = terms[at];
  if (all === undefined) return [];
  const before = `The SPF record of ${record.name}`;
  const after = terms.slice(at + 1).filter(({ sign }) => sign !== '=');
  const ordered = [...terms.filter((term) => term !== all), all];
  const open = record.text.replace(/(^|\s)\+?all(?=\s|$)/i, '$1~all');
  return [
    ...(after.length === 0
      ? []
      : [
          correctTo(record, dataOf(ordered), {
            code: 'spf-after-all',
            message: `${before} has ${textsOf(after)} after ${all.text}: mail servers ignore what follows it (RFC 7208 section 5.1).`,
            action: `Move ${all.text} to the end.`,
          }),
        ]),
    ...(all.qualifier === '' || all.qualifier === '+'
      ? [
          correctTo(
            record,
            { data: dataOfText(open) },
            {
              code: 'spf-allows-all',
              message: `${before} allows every server of the Internet to send mail for it (+all).`,
              action: 'Use ~all, or -all if all senders are listed.',
            },
          ),
        ]
      : []),
  ];
}

function textsOf(terms: readonly Term[]): string {
  return terms.map(({ text }) => text).join(' ');
}

function dataOf(terms: readonly Term[]): Pick<AdvisedRecord, 'data'> {
  return { data: dataOfText(`v=spf1 ${textsOf(terms)}`) };
}

/** @param total number of lookups, with those of included records if these are known */
export function tooManyLookups(record: AdvisedRecord, total: number): Advice {
  return point(
    record,
    'spf-lookups',
    `The SPF record of ${record.name} takes ${total} DNS lookups; mail servers stop after ${MAX_SPF_LOOKUPS} and reject it (RFC 7208 section 4.6.4).`,
    'Remove services that no longer send mail for the domain, or write their addresses with ip4 and ip6.',
  );
}

function isKnown({ name, sign, value }: Term): boolean {
  if (!MECHANISMS.has(name) || sign === '=') return !MECHANISMS.has(name) && sign === '=';
  const bits = { ip4: 32, ip6: 128 }[name];
  if (bits !== undefined) return sign === ':' && isNetwork(value, bits);
  return name !== 'include' && name !== 'exists' ? true : sign === ':' && value !== '';
}

function isNetwork(text: string, bits: number): boolean {
  const [address = '', length = String(bits)] = text.split('/');
  const isAddress = bits === 32 ? isIPv4(address) : isIPv6(address);
  return isAddress && /^\d{1,3}$/.test(length) && Number(length) <= bits;
}

function wrongTerms(record: TextRecord, terms: readonly Term[], wrong: readonly Term[]): Advice {
  const code = 'spf-term';
  const message = `The SPF record of ${record.name} has ${textsOf(wrong)}, which mail servers do not understand: they reject the record (RFC 7208 section 4.6).`;
  const meant = terms.flatMap((term) => (isKnown(term) ? term : (correct(term) ?? [])));
  if (meant.length < terms.length || !meant.every(isKnown)) {
    const action =
      'Correct it, such as ip4:192.0.2.1, ip6:2001:db8::1 or include:_spf.example.net.';
    return point(record, code, message, action);
  }
  const action = `Write ${textsOf(meant.filter((term) => !terms.includes(term)))}.`;
  return correctTo(record, dataOf(meant), { code, message, action });
}

/** Returns the term that was probably meant. A name that was not known still has its sign. */
function correct({ text, qualifier, name, value }: Term): Term | undefined {
  const isBare = isIPv4(text.split('/')[0] ?? '');
  const rest = isBare ? text : value;
  const meant = isBare ? 'ip4' : (MEANT[name] ?? name);
  if (!MECHANISMS.has(meant) || rest === '') return undefined;
  const right = meant === 'ip4' && rest.includes(':') ? 'ip6' : meant;
  return readTerms(`v=spf1 ${qualifier}${right}:${rest}`)[0];
}
