import { isIPv4 } from 'node:net';
import { parseUint16 } from '../../fields/numbers.js';
import { base64ToOctets } from '../../fields/octet-texts.js';
import { inQuotes, RdataSyntaxError } from '../../values/problem.js';
import { ipv6ToOctets, octetsToIpv6 } from '../../wire/address-text.js';
import { concatOctets, readUint16, uint16sToOctets } from '../../wire/octets.js';

/** Conversion of a key's value between text, as octets, and wire form. */
export interface SvcValue {
  readonly toWire: (text: Uint8Array) => Uint8Array;
  /** @throws RdataSyntaxError for a value that has no text */
  readonly fromWire: (wire: Uint8Array) => Uint8Array;
}

const ADDRESSES = {
  4: { octets: 4, example: '192.0.2.1' },
  6: { octets: 16, example: '2001:db8::1' },
};

/** Opaque value, for unknown keys (RFC 9460 s2.1). */
export const opaque: SvcValue = { toWire: (text) => text, fromWire: (wire) => wire };

/** Protocols, each with its length (RFC 9460 s7.1.1). */
export const alpn: SvcValue = {
  toWire: (text) => {
    const ids = splitValues(text);
    if (ids.some(({ length }) => length === 0 || length > 255)) {
      throw fault(
        'alpn',
        'has a protocol that is empty or longer than 255 octets; write for example alpn=h2,h3',
      );
    }
    return concatOctets(ids.flatMap((id) => [Uint8Array.of(id.length), id]));
  },
  fromWire: (wire) => {
    const ids: Uint8Array[] = [];
    for (let at = 0; at < wire.length;) {
      const end = at + 1 + (wire[at] ?? 0);
      if (end === at + 1 || end > wire.length) throw fault('alpn', 'is not a list of protocols');
      ids.push(wire.subarray(at + 1, end));
      at = end;
    }
    if (ids.length === 0) throw fault('alpn', 'is empty');
    return joinValues(ids);
  },
};

/** Empty value (RFC 9460 s7.1.1). */
export const nothing: SvcValue = {
  toWire: requireNothing,
  fromWire: requireNothing,
};

export const port: SvcValue = {
  toWire: (text) => uint16sToOctets(parseUint16('port', latin1(text))),
  fromWire: (wire) => {
    if (wire.length !== 2) throw fault('port', `has ${wire.length} octets, not 2`);
    return Buffer.from(String(readUint16(wire, 0)));
  },
};

export const ech: SvcValue = {
  toWire: (text) => base64ToOctets('ech', latin1(text)),
  fromWire: (wire) => {
    if (wire.length === 0) throw fault('ech', 'is empty');
    return Buffer.from(Buffer.from(wire).toString('base64'));
  },
};

const COMMA = 0x2c;
const BACKSLASH = 0x5c;

export const ipv4hint = addresses('ipv4hint', 4);
export const ipv6hint = addresses('ipv6hint', 6);

/** One or more addresses (RFC 9460 s7.3). */
function addresses(key: string, family: 4 | 6): SvcValue {
  const { octets, example } = ADDRESSES[family];
  return {
    toWire: (text) =>
      concatOctets(
        splitValues(text).map((value) => {
          const address = latin1(value);
          const wire = family === 4 ? ipv4ToOctets(address) : ipv6ToOctets(address);
          if (wire !== undefined) return wire;
          const right = `write IPv${family} addresses separated by commas, such as ${example}`;
          throw fault(key, `has ${inQuotes(address)}; ${right}`);
        }),
      ),
    fromWire: (wire) => {
      if (wire.length === 0 || wire.length % octets !== 0) {
        throw fault(key, `has ${wire.length} octets; an address takes ${octets}`);
      }
      const parts = Array.from({ length: wire.length / octets }, (_, at) =>
        wire.subarray(at * octets, (at + 1) * octets),
      );
      const texts = parts.map((part) => (family === 4 ? part.join('.') : octetsToIpv6(part)));
      return Buffer.from(texts.join(','));
    },
  };
}

function ipv4ToOctets(text: string): Uint8Array | undefined {
  return isIPv4(text) ? Uint8Array.from(text.split('.'), Number) : undefined;
}

function requireNothing(value: Uint8Array): Uint8Array {
  if (value.length === 0) return value;
  throw fault('no-default-alpn', 'takes no value; leave it out');
}

function latin1(octets: Uint8Array): string {
  return Buffer.from(octets).toString('latin1');
}

function fault(key: string, what: string): RdataSyntaxError {
  return new RdataSyntaxError(`The parameter ${key} ${what}.`);
}

/** Splits a comma-separated list, in which a backslash escapes a comma (RFC 9460 appendix A.1). */
export function splitValues(text: Uint8Array): Uint8Array[] {
  const values: Uint8Array[] = [];
  const value = new Uint8Array(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === COMMA) {
      values.push(value.slice(0, length));
      length = 0;
    } else {
      if (text[at] === BACKSLASH && at + 1 < text.length) at += 1;
      value[length] = text[at] ?? 0;
      length += 1;
    }
  }
  return [...values, value.slice(0, length)];
}

/** Joins values in the form that splitValues reads. */
function joinValues(values: readonly Uint8Array[]): Uint8Array {
  return concatOctets(
    values.flatMap((value, at) => [...(at === 0 ? [] : [Uint8Array.of(COMMA)]), escaped(value)]),
  );
}

function escaped(value: Uint8Array): Uint8Array {
  return Uint8Array.from(
    [...value].flatMap((octet) =>
      octet === COMMA || octet === BACKSLASH ? [BACKSLASH, octet] : [octet],
    ),
  );
}
