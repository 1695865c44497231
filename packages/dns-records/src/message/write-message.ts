import { concatOctets, uint16sToOctets, uint32sToOctets } from '../wire/octets.js';
import type { Message, MessageRecord, Question } from './message.js';

/** The octets of a message, without compression. */
export function writeMessage({
  id,
  flags,
  questions = [],
  answers = [],
  authorities = [],
  additionals = [],
}: Pick<Message, 'id' | 'flags'> & Partial<Message>): Uint8Array {
  const counts = [questions, answers, authorities, additionals].map(({ length }) => length);
  return concatOctets([
    uint16sToOctets(id, flags, ...counts),
    ...questions.map(writeQuestion),
    ...[...answers, ...authorities, ...additionals].map(writeRecord),
  ]);
}

export function writeRecord(record: MessageRecord): Uint8Array {
  return concatOctets([
    writeQuestion(record),
    uint32sToOctets(record.ttl),
    uint16sToOctets(record.rdata.length),
    record.rdata,
  ]);
}

function writeQuestion(question: Question): Uint8Array {
  return concatOctets([question.name, uint16sToOctets(question.type, question.class)]);
}
