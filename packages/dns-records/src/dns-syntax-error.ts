/** What every parser of this package throws: its message is one sentence that a user may read. */
export class DnsSyntaxError extends Error {
  override readonly name: string = 'DnsSyntaxError';
}

/** A name whose text or wire form breaks RFC 1035 s2.3.4, s3.1 or s5.1. */
export class NameSyntaxError extends DnsSyntaxError {
  override readonly name = 'NameSyntaxError';
}

/** Rdata whose text or wire form does not fit its record type. */
export class RdataSyntaxError extends DnsSyntaxError {
  override readonly name = 'RdataSyntaxError';
}
