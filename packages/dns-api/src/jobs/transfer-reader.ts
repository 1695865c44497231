import {
  type MessageRecord,
  nameOfRecord,
  readMessage,
  RR_TYPE,
  serialOfSoa,
} from '@zonewright/dns-records';
import { TransferFault, type TransferredDifference } from '@zonewright/zones';
import type { AnswerMessage } from './primary-connection.js';

interface ReaderOptions {
  /** The canonical name as text. */
  readonly zone: string;
  /** The serial of the IXFR request; undefined if a full transfer was requested. */
  readonly known: number | undefined;
  readonly maxRecords: number;
}

type Mode = 'begun' | 'whole' | 'steps';

/** The maximum number of records in the difference sequences, above which a full transfer is better. */
const MAX_STEP_RECORDS = 50_000;
const MIN_SOA_OCTETS = 22;

/**
 * Reads AXFR (RFC 5936 s2.2) and IXFR (RFC 1995 s4), message by message, up to the final SOA. A full zone is kept in
 * wire form, which takes a tenth of the memory of objects.
 */
export class TransferReader {
  readonly #options: ReaderOptions;
  readonly #messages: Buffer[] = [];
  readonly #steps: DifferenceSequence[] = [];
  #mode: Mode = 'begun';
  #count = 0;
  #soa: MessageRecord | undefined;
  #isAdding = false;
  isDone = false;

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  /** Returns the SOA of the transferred version. */
  get soa(): MessageRecord {
    if (this.#soa === undefined) throw new TransferFault('soa', 'its response has no SOA record');
    return this.#soa;
  }

  get steps(): TransferredDifference | undefined {
    return this.#mode === 'steps' ? netDifference(this.#steps) : undefined;
  }

  /** Returns all records, with the SOA once; undefined if the transfer has difference sequences, or only the SOA. */
  get records(): (() => Iterable<MessageRecord>) | undefined {
    return this.#mode === 'whole' ? () => listRecords(this.#messages) : undefined;
  }

  /** @throws TransferFault if the message is not a valid transfer */
  push({ octets, message, isCovered }: AnswerMessage): void {
    if (message.answers.length === 0) throw new TransferFault('malformed', 'its response is empty');
    for (const record of message.answers) this.#read(record);
    if (this.#mode === 'whole') this.#messages.push(octets);
    else if (this.#mode === 'begun') this.#endOfFirst(octets);
    if (this.isDone && !isCovered)
      throw new TransferFault('signature', 'the end of its response is not signed');
  }

  /** Handles the first SOA: either nothing has changed, or more records follow. */
  #endOfFirst(octets: Buffer): void {
    this.isDone = serialOfSoa(this.soa.rdata) === this.#options.known;
    this.#messages.push(octets);
  }

  #read(record: MessageRecord): void {
    if (this.isDone) throw new TransferFault('soa', 'records follow the final SOA record');
    this.#count++;
    if (this.#count > this.#options.maxRecords + 2) {
      throw new TransferFault(
        'too-large',
        `its response has more than ${this.#options.maxRecords} records`,
      );
    }
    const serial = this.#serialOf(record);
    if (this.#soa === undefined) {
      if (serial === undefined)
        throw new TransferFault('soa', 'its response does not begin with an SOA record');
      this.#soa = record;
      return;
    }
    if (this.#mode === 'begun') this.#mode = this.#modeBy(serial);
    if (this.#mode === 'whole') this.isDone = this.#isEnd(serial);
    else this.#readStep(record, serial);
  }

  #modeBy(serial: number | undefined): Mode {
    const { known } = this.#options;
    return known !== undefined && serial !== undefined && serial !== serialOfSoa(this.soa.rdata)
      ? 'steps'
      : 'whole';
  }

  #isEnd(serial: number | undefined): boolean {
    if (serial === undefined) return false;
    if (serial !== serialOfSoa(this.soa.rdata))
      throw new TransferFault('soa', 'its serial changes during the transfer');
    return true;
  }

  #readStep(record: MessageRecord, serial: number | undefined): void {
    const step = this.#steps.at(-1);
    if (serial === undefined) {
      if (this.#count > MAX_STEP_RECORDS)
        throw new TransferFault('malformed', 'its response has too many changes');
      (this.#isAdding ? step?.added : step?.removed)?.push(record);
    } else if (step === undefined || this.#isAdding) {
      this.#beginStep(record, serial);
    } else {
      step.added.push(record);
      step.to = serial;
      this.#isAdding = true;
    }
  }

  #beginStep(record: MessageRecord, serial: number): void {
    const before = this.#steps.at(-1)?.to;
    if (before !== undefined && before === serial && serial === serialOfSoa(this.soa.rdata)) {
      this.isDone = true;
      return;
    }
    if (serial !== (before ?? this.#options.known))
      throw new TransferFault('malformed', 'the changes in its response have gaps');
    this.#steps.push({ to: serial, removed: [record], added: [] });
    this.#isAdding = false;
  }

  /** Returns undefined if the record is not the zone's SOA. */
  #serialOf(record: MessageRecord): number | undefined {
    if (record.type !== RR_TYPE.SOA) return undefined;
    const isOfZone = nameOfRecord(record) === this.#options.zone;
    if (!isOfZone || record.rdata.length < MIN_SOA_OCTETS) {
      throw new TransferFault('soa', 'its response has an SOA record of another zone');
    }
    return serialOfSoa(record.rdata);
  }
}

function* listRecords(messages: readonly Buffer[]): Generator<MessageRecord, void> {
  let hasSoa = false;
  for (const record of listAll(messages)) {
    const isSoa = record.type === RR_TYPE.SOA;
    if (isSoa && hasSoa) return;
    hasSoa ||= isSoa;
    yield record;
  }
}

function* listAll(messages: readonly Buffer[]): Generator<MessageRecord, void> {
  for (const octets of messages) yield* readMessage(octets).answers;
}

/** One difference sequence of an IXFR (RFC 1995 s4): both lists start with an SOA. */
interface DifferenceSequence {
  to: number;
  readonly removed: MessageRecord[];
  readonly added: MessageRecord[];
}

/** Combines all difference sequences. A record that is removed and added again has a new TTL or is unchanged. */
function netDifference(steps: readonly DifferenceSequence[]): TransferredDifference {
  const gone = new Map<string, MessageRecord>();
  const come = new Map<string, MessageRecord>();
  for (const { removed, added } of steps) {
    for (const record of removed) {
      const key = keyOf(record);
      if (!come.delete(key) || gone.has(key)) gone.set(key, record);
    }
    for (const record of added) come.set(keyOf(record), record);
  }
  for (const key of come.keys()) gone.delete(key);
  return { removed: [...gone.values()], added: [...come.values()] };
}

function keyOf(record: MessageRecord): string {
  return `${nameOfRecord(record)} ${record.type} ${Buffer.from(record.rdata).toString('latin1')}`;
}
