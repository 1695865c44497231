import { describe, expect, it } from '@jest/globals';
import {
  checkRecord,
  type Problem,
  rdataFromWire,
  rdataToWire,
  RECORD_TYPES,
} from '../src/index.js';
import { readCases, readPairs } from './read-cases.js';

const TYPES = Object.entries(RECORD_TYPES);
const NAMES: Readonly<Record<string, string>> = {
  SRV: '_sip._tcp.example.com.',
  TLSA: '_443._tcp.example.com.',
};

describe.each(TYPES)('D-REC: data of %s', (type, { needsPriority }) => {
  const priority = needsPriority ? 10 : null;

  function check(data: string): Problem[] {
    const name = NAMES[type] ?? 'www.example.com.';
    return checkRecord({ name, type, data, priority }, 'example.com.');
  }

  it.each(readCases(`${type}.valid`))('accepts %j, and the nameserver can load it', (data) => {
    expect(check(data)).toEqual([]);
    expect(rdataToWire(type, data, priority)).toBeInstanceOf(Uint8Array);
  });

  it.each(readPairs(`${type}.invalid`))('refuses %j with the message %j', (data, words) => {
    const problems = check(data);
    expect(problems.map(({ path }) => path)).toEqual(problems.map(() => 'data'));
    expect(problems.map(({ message }) => message).join('\n')).toContain(words);
  });

  it.each(readPairs(`${type}.canonical`))('reads %j back from the wire as %j', (data, expected) => {
    const wire = rdataToWire(type, data, priority);
    expect(rdataFromWire(type, wire)).toEqual({ data: expected, priority });
    expect(rdataToWire(type, expected, priority)).toEqual(wire);
  });
});
