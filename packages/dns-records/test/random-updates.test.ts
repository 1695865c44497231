import { expect, it } from '@jest/globals';
import {
  checkRequest,
  DnsSyntaxError,
  MessageSyntaxError,
  nameOfRecord,
  nameToWire,
  type ReadMessage,
  readMessage,
  readPrerequisite,
  readUpdateInstruction,
  RR_CLASS,
  RR_TYPE,
  signRequest,
  type TsigKey,
  UpdateFault,
  writeMessage,
} from '../src/index.js';
import { Dice } from './support/dice.js';

/** RANDOM_UPDATES=10000000 reads this number of updates, in some minutes. */
const RUNS = Number(process.env['RANDOM_UPDATES'] ?? 50_000);
const NOW = 1_700_000_000;
const ZONE = 'example.com.';
const KEY: TsigKey = { name: 'key.', algorithm: 'hmac-sha256', secret: Buffer.alloc(30, 7) };

function record(name: string, type: number, members: { class?: number; rdata?: Uint8Array }) {
  const rdata = members.rdata ?? new Uint8Array();
  return { name: nameToWire(name), type, class: members.class ?? RR_CLASS.IN, ttl: 0, rdata };
}

const { message: UPDATE } = signRequest(
  writeMessage({
    id: 4711,
    flags: 0x2800,
    questions: [record(ZONE, RR_TYPE.SOA, {})],
    answers: [
      record(`a.${ZONE}`, RR_TYPE.A, { class: RR_CLASS.NONE }),
      record(`b.${ZONE}`, RR_TYPE.TXT, { rdata: Buffer.from('\x03abc') }),
    ],
    authorities: [
      record(`c.${ZONE}`, RR_TYPE.A, { rdata: Uint8Array.of(192, 0, 2, 1) }),
      record(`d.${ZONE}`, RR_TYPE.MX, {
        rdata: Buffer.concat([Buffer.of(0, 9), nameToWire(ZONE)]),
      }),
      record(`e.${ZONE}`, RR_TYPE.A, { class: RR_CLASS.ANY }),
    ],
  }),
  KEY,
  NOW,
);
/** The letter case of names is not signed: messages that differ only in case are the same. */
const SIGNED = lowerCased(UPDATE);

it(`${RUNS} changed updates cause only expected errors, and none passes the signature check`, () => {
  const dice = new Dice(Number(process.env['ZONEWRIGHT_FAULT_SEED'] ?? 20_261_123));
  let [read, accepted] = [0, 0];
  for (let run = 0; run < RUNS; run++) {
    const message = readOrUndefined(change(dice));
    if (message === undefined) continue;
    read++;
    readAll(message.message);
    const { tsig } = message.message;
    if (tsig === undefined || lowerCased(message.octets) === SIGNED) continue;
    if (checkRequest(message.octets, tsig, KEY, NOW) === undefined) accepted++;
  }
  expect(accepted).toBe(0);
  expect(read).toBeGreaterThan(RUNS / 10);
}, 3_600_000);

/** Changes octets after the id, which a forwarder may change. */
function change(dice: Dice): Uint8Array {
  const changed = Uint8Array.from(UPDATE);
  for (let left = 1 + dice.below(3); left > 0; left--) {
    changed[2 + dice.below(changed.length - 2)] = dice.below(256);
  }
  return dice.below(8) === 0 ? changed.subarray(0, dice.below(changed.length)) : changed;
}

function readOrUndefined(octets: Uint8Array) {
  try {
    return { octets, message: readMessage(octets) };
  } catch (error) {
    if (error instanceof MessageSyntaxError) return undefined;
    throw error;
  }
}

/** Reads the sections as dns-api reads them after the signature has been verified. */
function readAll({ answers, authorities }: ReadMessage): void {
  for (const each of answers) tryTo(() => readPrerequisite(each, ZONE));
  for (const each of authorities) tryTo(() => readUpdateInstruction(each, ZONE));
  for (const each of [...answers, ...authorities]) tryTo(() => nameOfRecord(each));
}

function tryTo(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof UpdateFault) && !(error instanceof DnsSyntaxError)) throw error;
  }
}

function lowerCased(octets: Uint8Array): string {
  return Buffer.from(octets).toString('latin1').toLowerCase();
}
