import { inQuotes, RdataSyntaxError } from '../values/problem.js';
import { parseUint16 } from '../fields/numbers.js';
import { readGenericRdata } from '../rdata/generic.js';
import { writeWords } from '../fields/words.js';
import { getCodec, rdataFromWire, rdataToWire } from '../rdata/rdata.js';
import type { Rdata } from '../fields/record-type.js';
import type { Token } from './entry-scanner.js';
import { readName, type ZoneState } from './zone-state.js';

/** Names of a type's rdata fields in messages, in the order of zone files. */
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

/** Returns the rdata of an entry in both forms. @throws DnsSyntaxError */
export function readRdata(
  type: string,
  tokens: readonly Token[],
  state: ZoneState,
): Rdata & { rdata: Uint8Array } {
  if (tokens[0]?.text === '\\#' && !tokens[0].quoted) {
    const rdata = readGenericRdata(tokens.slice(1));
    return { ...rdataFromWire(type, rdata), rdata };
  }
  const { nameFields } = getCodec(type);
  if (nameFields !== undefined) {
    const words = tokens.map((token, at) =>
      nameFields.includes(at) ? { ...token, text: readName(token, state) } : token,
    );
    const rdata = rdataToWire(type, writeWords(words), null);
    return { ...rdataFromWire(type, rdata), rdata };
  }
  const isText = type === 'TXT' || type === 'SPF';
  const { data, priority } = isText ? readText(type, tokens) : readFields(type, tokens, state);
  return { data, priority, rdata: rdataToWire(type, data, priority) };
}

/** Reads a text. Escapes have the same meaning within and outside quotes, so quotes around a word change nothing. */
function readText(type: string, tokens: readonly Token[]): Rdata {
  if (tokens.length === 0) {
    throw new RdataSyntaxError(`A ${type} record needs a string; write "" for an empty one.`);
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
    throw new RdataSyntaxError(`The ${field} ${inQuotes(token.text)} is in quotes; remove them.`);
  }
  return token.text;
}
