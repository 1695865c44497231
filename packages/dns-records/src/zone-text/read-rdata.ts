import { RdataSyntaxError } from '../problems/dns-syntax-error.js';
import { inQuotes } from '../problems/in-quotes.js';
import { parseUint16 } from '../rdata/fields.js';
import { rdataFromWire, rdataToWire } from '../rdata/rdata.js';
import type { Rdata } from '../rdata/record-type.js';
import type { Token } from './entry-scanner.js';
import { readName, type ZoneState } from './zone-state.js';
import { ZoneSyntaxError } from './zone-syntax-error.js';

/** The fields of a type's rdata in zone-file order, as messages call them. */
const FIELDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['A', ['address']],
  ['AAAA', ['address']],
  ['NS', ['name']],
  ['CNAME', ['name']],
  ['MX', ['preference', 'name']],
  ['SRV', ['priority', 'weight', 'port', 'name']],
  ['SOA', ['name', 'name', 'serial', 'refresh', 'retry', 'expire', 'minimum']],
]);

const HAS_PRIORITY = new Set(['MX', 'SRV']);

/** Rdata of one entry in both forms. Throws DnsSyntaxError. */
export function readRdata(
  type: string,
  tokens: readonly Token[],
  state: ZoneState,
): Rdata & { rdata: Uint8Array } {
  if (tokens[0]?.text === '\\#' && !tokens[0].quoted) {
    const rdata = readGenericRdata(tokens.slice(1));
    return { ...rdataFromWire(type, rdata), rdata };
  }
  const { data, priority } = type === 'TXT' ? readText(tokens) : readFields(type, tokens, state);
  return { data, priority, rdata: rdataToWire(type, data, priority) };
}

/** Escapes mean the same in quotes and outside, so that quotes around a bare word change nothing. */
function readText(tokens: readonly Token[]): Rdata {
  if (tokens.length === 0) {
    throw new RdataSyntaxError('A TXT record needs a string; write "" for an empty one.');
  }
  return { data: tokens.map(({ text }) => `"${text}"`).join(' '), priority: null };
}

function readFields(type: string, tokens: readonly Token[], state: ZoneState): Rdata {
  const fields = FIELDS.get(type) ?? [];
  if (tokens.length !== fields.length) {
    throw new RdataSyntaxError(
      `A record of type ${type} takes ${fields.length} values (${fields.join(', ')}), not ${tokens.length}.`,
    );
  }
  const values = tokens.map((token, index) => readField(fields[index] ?? '', token, state));
  const [first = '', ...others] = values;
  return HAS_PRIORITY.has(type)
    ? { data: others.join(' '), priority: parseUint16(fields[0] ?? '', first) }
    : { data: values.join(' '), priority: null };
}

function readField(field: string, token: Token, state: ZoneState): string {
  if (field === 'name') {
    return readName(token, state);
  }
  if (token.quoted) {
    throw new RdataSyntaxError(
      `The ${field} ${inQuotes(token.text)} stands in quotes; remove them.`,
    );
  }
  return token.text;
}

/** `\# 4 C0000201`: the length in octets and that many in hexadecimal, blanks anywhere (RFC 3597 s5). */
function readGenericRdata(tokens: readonly Token[]): Uint8Array {
  const [length = '', ...words] = tokens.map(({ text }) => text);
  const hex = words.join('');
  const octets = parseUint16('rdata length', length);
  if (!/^[0-9a-f]*$/i.test(hex) || hex.length !== 2 * octets) {
    throw new ZoneSyntaxError(
      `After "\\# ${octets}" stand ${hex.length} characters; write ${2 * octets} hexadecimal digits.`,
    );
  }
  return new Uint8Array(Buffer.from(hex, 'hex'));
}
