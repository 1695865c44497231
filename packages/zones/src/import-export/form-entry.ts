import { quoteString } from '@zonewright/dns-records';
import type { SkippedLine } from './import-request.js';

/** The formats of files that can be read, by their names in the API. */
export type FileForm =
  | 'bind'
  | 'cloudflare'
  | 'godaddy'
  | 'cloudflare-json'
  | 'route53'
  | 'digitalocean'
  | 'hetzner'
  | 'hetzner-cloud'
  | 'godaddy-json'
  | 'google'
  | 'azure'
  | 'powerdns'
  | 'technitium'
  | 'octodns'
  | 'octodns-yaml'
  | 'google-yaml'
  | 'namecheap'
  | 'table'
  | 'hosts'
  | 'addresses';

/** Members of a record that are not part of DNS. */
export interface RecordExtras {
  readonly description?: string;
  readonly tags?: readonly string[];
  /** Whether the provider's proxy currently hides the address. */
  readonly isProxied?: boolean;
}

/** A record in a file that is not a zone file. */
export interface FormEntry extends RecordExtras {
  readonly line: number;
  /** The name as in a zone file: relative to the domain, or absolute with a trailing dot. */
  readonly name: string;
  readonly type: string;
  readonly ttl: number | string | undefined;
  /** The rdata in the form of a zone file. */
  readonly data: string;
}

/** A record of a file, or other information about it. */
export type FormItem =
  | FormEntry
  | { readonly domain: string }
  | { readonly skipped: SkippedLine }
  /** Marks a point at which the caller may do other work. */
  | { readonly nothing: true };

export const NOTHING: FormItem = { nothing: true };

export function skip(line: number, code: string, reason: string): FormItem {
  return { skipped: { line, code, reason, severity: 'warning' } };
}

/** Reports a file that ends unexpectedly or has a different format from its beginning. No part of it is imported. */
export class FormFault extends Error {
  override readonly name = 'FormFault';
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** Returns an absolute name, because providers omit its last dot. */
export function absolute(name: string): string {
  return name.endsWith('.') ? name : `${name}.`;
}

/**
 * Returns a target as providers interpret it: a name with dots is absolute; `@` and a single label are relative to the
 * domain.
 */
export function toTarget(name: string): string {
  const text = name.trim();
  return text.includes('.') ? absolute(text) : text;
}

/** The position of the name in the data, counted in words, for types that have one. */
const TARGETS: Readonly<Record<string, number>> = {
  CNAME: 0,
  DNAME: 0,
  NS: 0,
  PTR: 0,
  MX: 1,
  SRV: 3,
  HTTPS: 1,
  SVCB: 1,
};

/** Converts a provider's data, which omits the last dot of targets and the quotes of texts. */
export function toZoneData(type: string, data: string): string {
  if (type === 'TXT' || type === 'SPF') return toText(data);
  const position = TARGETS[type];
  if (position === undefined) return data;
  const words = data
    .trim()
    .split(/\s/)
    .filter((word) => word !== '');
  return words.map((word, at) => (at === position ? toTarget(word) : word)).join(' ');
}

/** Returns quoted strings unchanged, and any other data as a single text. */
function toText(data: string): string {
  const text = data.trim();
  return text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text : quoteText(data);
}

const MAX_STRING_OCTETS = 255;

/** Returns a text as quoted strings of at most 255 octets (RFC 1035, section 3.3.14). */
export function quoteText(text: string): string {
  const octets = Buffer.from(text, 'utf8');
  const strings: string[] = [];
  for (let start = 0; start < octets.length || start === 0; start += MAX_STRING_OCTETS) {
    strings.push(quoteString(octets.subarray(start, start + MAX_STRING_OCTETS)));
  }
  return strings.join(' ');
}
