import { DnsSyntaxError } from '../problems/dns-syntax-error.js';

/** Why an entry of a zone file is rejected. It is caught for each entry, so one bad line does not affect others. */
export class ZoneSyntaxError extends DnsSyntaxError {
  override readonly name = 'ZoneSyntaxError';
  /** The line with the error, if it is not the entry's first. */
  readonly line: number | undefined;

  constructor(message: string, line?: number) {
    super(message);
    this.line = line;
  }
}

/** A record of a type that exists and is none of those that this platform serves. */
export class UnsupportedTypeError extends DnsSyntaxError {
  override readonly name = 'UnsupportedTypeError';
}
