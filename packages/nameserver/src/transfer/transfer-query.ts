import {
  compareSerials,
  readMessage,
  type ReadMessage,
  RR_TYPE,
  serialOfSoa,
  type Tsig,
  wireToName,
} from '@zonewright/dns-records';
import { soaSerialOf } from '../compile/block-records.js';
import type { Difference } from '../compile/difference.js';
import type { ImageWriter, PinnedZone } from '../image/image-writer.js';
import { writeUint16 } from '../wire/octets.js';
import { FLAG } from '../wire/protocol.js';
import type { DifferenceLog } from './difference-log.js';
import type { TransferQuestion } from './message-writer.js';
import { writeDifferences, writeWholeZone } from './write-transfer.js';

/** Signed query for AXFR or IXFR. */
export interface TransferQuery {
  readonly message: ReadMessage;
  readonly question: TransferQuestion;
  readonly tsig: Tsig;
  /** Name in canonical text form. */
  readonly zone: string;
  /** Serial that the client has. Undefined if it requests the whole zone. */
  readonly known: number | undefined;
}

/** Content of a transfer, in one version of the zone. */
export interface TransferContent {
  readonly pinned: PinnedZone;
  readonly serial: number;
  /** Undefined for the whole zone. */
  readonly steps: readonly Difference[] | undefined;
}

const LENGTH_OCTETS = 2;

/** Returns undefined if the message is not signed, or has no question. */
export function readTransferQuery(octets: Uint8Array): TransferQuery | undefined {
  const message = readMessage(octets);
  const { id, flags, questions, additionals, tsig } = message;
  const [asked] = questions;
  if (asked === undefined || tsig === undefined) return undefined;
  const { name, type } = asked;
  return {
    message,
    tsig,
    zone: wireToName(name).toLowerCase(),
    known: type === RR_TYPE.IXFR ? knownSerial(message) : undefined,
    question: {
      ...{ id, name, type },
      isRecursionDesired: (flags & FLAG.RD) !== 0,
      hasEdns: additionals.some((record) => record.type === RR_TYPE.OPT),
    },
  };
}

/**
 * Returns the serial in the client's SOA, which is in the authority section (RFC 1995 s3). Without it the whole zone is
 * sent.
 */
function knownSerial({ authorities: [soa] }: ReadMessage): number | undefined {
  return soa?.type === RR_TYPE.SOA ? serialOfSoa(soa.rdata) : undefined;
}

/**
 * Pins the version of the zone that the query gets, and keeps the changes of the zone from now on. Undefined if the
 * zone was deleted or has no current data. The caller must release it.
 */
export function openTransfer(
  { image, differences }: { readonly image: ImageWriter; readonly differences: DifferenceLog },
  { question, known }: TransferQuery,
): TransferContent | undefined {
  const apex = lowerCased(question.name);
  const pinned = image.pinZone(apex);
  const serial = pinned && soaSerialOf(pinned.block);
  if (pinned === undefined || serial === undefined) {
    pinned?.release();
    return undefined;
  }
  differences.follow(apex);
  return { pinned, serial, steps: stepsFor(differences, { apex, known, serial }) };
}

/** Returns undefined for the whole zone. A client with this serial or a newer one gets no changes (RFC 1995 s2). */
function stepsFor(
  differences: DifferenceLog,
  wanted: {
    readonly apex: Uint8Array;
    readonly known: number | undefined;
    readonly serial: number;
  },
): readonly Difference[] | undefined {
  const { apex, known, serial } = wanted;
  if (known === undefined) return undefined;
  return compareSerials(known, serial) >= 0 ? [] : differences.find(apex, known, serial);
}

/** Yields the messages of a transfer without their TSIG. */
export function writeTransfer(
  { question }: TransferQuery,
  { pinned: { block }, steps }: TransferContent,
): Iterable<Uint8Array> {
  return steps === undefined
    ? writeWholeZone(question, block)
    : writeDifferences(question, block, steps);
}

function lowerCased(name: Uint8Array): Uint8Array {
  return Buffer.from(Buffer.from(name).toString('latin1').toLowerCase(), 'latin1');
}

/** Returns a message with its length before it, as TCP needs it (RFC 7766 s8). */
export function frame(message: Uint8Array): Uint8Array {
  const framed = Buffer.allocUnsafe(LENGTH_OCTETS + message.length);
  writeUint16(framed, 0, message.length);
  framed.set(message, LENGTH_OCTETS);
  return framed;
}
