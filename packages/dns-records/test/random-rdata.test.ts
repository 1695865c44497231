import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  DnsSyntaxError,
  findRecordType,
  rdataFromWire,
  rdataToWire,
  RECORD_TYPES,
} from '../src/index.js';
import { Dice } from './support/dice.js';
import { DATA_OF, GENERIC_DATA } from './support/any-rdata.js';

/** RANDOM_RDATA=10000000 reads and writes this number of values, in some minutes. */
const RUNS = Number(process.env['RANDOM_RDATA'] ?? 100_000);
const SAMPLES = 200;
const TYPES = [...Object.keys(RECORD_TYPES), 'SOA', 'TYPE65280'];
const PIECES = [
  '"',
  '\\',
  ' ',
  '\\#',
  '.',
  '0',
  '1',
  '4',
  '255',
  '65536',
  '-1',
  'a.',
  'N',
  'E',
  'm',
  '0a',
  '=',
  ',',
].concat([
  'alpn=',
  'mandatory=',
  'port=443',
  'key1=',
  'ipv4hint=192.0.2.1',
  '\\200',
  '\\999',
  'ü',
  '\0',
  'AAAA',
  '-',
  '!',
  ';',
  '(',
]);

function refusedOr<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof DnsSyntaxError) return undefined;
    throw error;
  }
}

/** Valid rdata; most of the tested values are similar to one of these. */
const SOUND = new Map(
  [...Object.entries(DATA_OF), ['TYPE65280', GENERIC_DATA] as const].map(([type, data]) => [
    type,
    fc.sample(data, SAMPLES).map((text) => ({ text, wire: rdataToWire(type, text, null) })),
  ]),
);

function anyWire(dice: Dice, type: string): Uint8Array {
  const sound = SOUND.get(type);
  if (sound === undefined || dice.below(4) === 0) {
    return Uint8Array.from({ length: dice.below(40) }, () => dice.below(256));
  }
  const wire = dice.pick(sound).wire.slice();
  for (let left = dice.below(4); left > 0 && wire.length > 0; left -= 1) {
    wire[dice.below(wire.length)] = dice.below(256);
  }
  return dice.below(3) === 0 ? wire.subarray(0, dice.below(wire.length + 1)) : wire;
}

function anyText(dice: Dice, type: string): string {
  const sound = SOUND.get(type);
  const text = sound === undefined || dice.below(4) === 0 ? '' : dice.pick(sound).text;
  const at = dice.below(text.length + 1);
  const put = Array.from({ length: dice.below(4) }, () => dice.pick(PIECES)).join('');
  return text.slice(0, at) + put + text.slice(at + dice.below(3));
}

it(`${RUNS} random rdata are read, or refused with DnsSyntaxError`, () => {
  const seed = Number(process.env['ZONEWRIGHT_FAULT_SEED'] ?? Date.now() % 1_000_000);
  const dice = new Dice(seed);
  for (let run = 0; run < RUNS; run += 1) {
    const type = dice.pick(TYPES);
    const isWire = dice.below(2) === 0;
    const given = isWire ? anyWire(dice, type) : anyText(dice, type);
    const isSound = typeof given === 'string' ? judgeText(type, given) : judgeWire(type, given);
    if (isSound) continue;
    expect({ seed, run, type, given }).toBe('written as it was read');
  }
}, 3_600_000);

/** Checks that rdata that can be read is written unchanged. */
function judgeWire(type: string, wire: Uint8Array): boolean {
  const read = refusedOr(() => rdataFromWire(type, wire));
  return (
    read === undefined || Buffer.compare(rdataToWire(type, read.data, read.priority), wire) === 0
  );
}

/** Checks that data that passes the checks can be written and read back. */
function judgeText(type: string, text: string): boolean {
  const wire = refusedOr(() => rdataToWire(type, text, 1));
  if (wire !== undefined && !judgeWire(type, wire)) return false;
  const problems = findRecordType(type)?.checkData(text, 'example.') ?? [];
  return (
    problems.every(({ message }) => message.endsWith('.')) &&
    (problems.length > 0 || wire !== undefined || type === 'SOA')
  );
}
