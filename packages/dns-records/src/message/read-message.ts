import { RR_TYPE } from '../values/rr-type.js';
import { readUint16, readUint32 } from '../wire/octets.js';
import {
  type Message,
  type MessageHeader,
  type MessageRecord,
  MessageSyntaxError,
  type Question,
} from './message.js';
import { readMessageRdata } from './read-message-rdata.js';
import { readName } from './read-name.js';
import { readTsigRecord, type Tsig } from './tsig-record.js';

const HEADER_OCTETS = 12;

/** Message with the TSIG at its end. */
export interface ReadMessage extends Message {
  readonly tsig: Tsig | undefined;
}

export function readHeader(octets: Uint8Array): MessageHeader {
  if (octets.length < HEADER_OCTETS)
    throw new MessageSyntaxError('The message is shorter than 12 octets.');
  return { id: readUint16(octets, 0), flags: readUint16(octets, 2) };
}

/**
 * Reads a whole message of at most 65,535 octets, strictly. Nothing may follow the last record, and only that record
 * may be a TSIG (RFC 8945 s5.1). A count that is too large costs nothing, since reading stops at the end of the
 * message. @throws MessageSyntaxError
 */
export function readMessage(octets: Uint8Array): ReadMessage {
  const header = readHeader(octets);
  const [questions, answers, authorities, additionals] = [4, 6, 8, 10].map((at) =>
    readUint16(octets, at),
  ) as [number, number, number, number];
  const cursor = { at: HEADER_OCTETS };
  let tsig: Tsig | undefined;
  const readRecords = (count: number, mayHaveTsig: boolean) => {
    const records: MessageRecord[] = [];
    for (let left = count; left > 0; left--) {
      const start = cursor.at;
      const record = readRecord(octets, cursor);
      if (record.type !== RR_TYPE.TSIG) records.push(record);
      else if (mayHaveTsig && left === 1) tsig = readTsigRecord(record, start);
      else throw new MessageSyntaxError('The TSIG record is not the last record.');
    }
    return records;
  };
  const message = {
    ...header,
    questions: Array.from(take(questions, () => readQuestion(octets, cursor))),
    answers: readRecords(answers, false),
    authorities: readRecords(authorities, false),
    additionals: readRecords(additionals, true),
  };
  if (cursor.at !== octets.length)
    throw new MessageSyntaxError('The message has octets after its last record.');
  return { ...message, tsig };
}

function* take<T>(count: number, read: () => T): Iterable<T> {
  for (let i = 0; i < count; i++) yield read();
}

interface Cursor {
  at: number;
}

function readQuestion(octets: Uint8Array, cursor: Cursor): Question {
  const { name, end } = readName(octets, cursor.at);
  if (end + 4 > octets.length)
    throw new MessageSyntaxError('A question extends past the end of the message.');
  cursor.at = end + 4;
  return { name, type: readUint16(octets, end), class: readUint16(octets, end + 2) };
}

function readRecord(octets: Uint8Array, cursor: Cursor): MessageRecord {
  const { name, type, class: recordClass } = readQuestion(octets, cursor);
  const fixed = cursor.at;
  const start = fixed + 6;
  if (start > octets.length)
    throw new MessageSyntaxError('A record extends past the end of the message.');
  const end = start + readUint16(octets, fixed + 4);
  if (end > octets.length)
    throw new MessageSyntaxError('The rdata of a record extends past the end of the message.');
  cursor.at = end;
  return {
    name,
    type,
    class: recordClass,
    ttl: readUint32(octets, fixed),
    rdata: readMessageRdata(octets, type, start, end),
  };
}
