/** Framed messages that are made while they are sent. */
export type AnswerStream = AsyncIterable<Uint8Array>;
