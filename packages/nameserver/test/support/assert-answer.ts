import assert from 'node:assert/strict';

/** Queries are answered, other things are not: what is shorter than a header, and responses (RFC 1035 s4.1.1). */
export function expectsAnswer(message: Buffer): boolean {
  return message.length >= 12 && ((message[2] ?? 0) & 0x80) === 0;
}

/** Whatever came, an answer is a response to it, of a size that may be sent. */
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
