/** Error of every parser of this package; its message is one sentence that a user may read. */
export class DnsSyntaxError extends Error {
  override readonly name: string = 'DnsSyntaxError';

  constructor(message: string) {
    // It is about a text, of which there may be very many, and where the program was says nothing: a stack would cost more
    // than reading the text.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** A name whose text or wire form violates RFC 1035 s2.3.4, s3.1 or s5.1. */
export class NameSyntaxError extends DnsSyntaxError {
  override readonly name = 'NameSyntaxError';
}

/** Rdata whose text or wire form does not fit its record type. */
export class RdataSyntaxError extends DnsSyntaxError {
  override readonly name = 'RdataSyntaxError';
}
