import assert from 'node:assert/strict';

/**
 * Returns whether a message is a query. Messages that are shorter than a header, and responses, are not answered (RFC
 * 1035, section 4.1.1).
 */
export function expectsAnswer(message: Buffer): boolean {
  return message.length >= 12 && ((message[2] ?? 0) & 0x80) === 0;
}

/** Checks that an answer is a response to the message, and has a permitted size. */
export function assertAnswer(query: Buffer, answer: Buffer | undefined, maxOctets = 1232): void {
  assert.equal(answer !== undefined, expectsAnswer(query), 'Queries are answered, others are not.');
  if (answer === undefined) return;
  assert.equal(answer.readUInt16BE(0), query.readUInt16BE(0), 'The id comes back.');
  assert.equal(
    (answer[2] ?? 0) & 0xf8,
    0x80 | ((query[2] ?? 0) & 0x78),
    'QR is set, the opcode comes back.',
  );
  assert(answer.length <= maxOctets, 'The answer is no longer than it may be.');
}
