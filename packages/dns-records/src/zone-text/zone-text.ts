import { DnsSyntaxError } from '../values/problem.js';

/** One record of a zone file. */
export interface ZoneTextRecord {
  /** Canonical (canonicalOwnerName). Whether it lies inside the zone is for the reader to check. */
  readonly ownerName: string;
  /** A record type that users may create, or SOA. */
  readonly type: string;
  /** In seconds. */
  readonly ttl: number;
  /** Uncompressed. */
  readonly rdata: Uint8Array;
  /** Data as the platform stores it: names absolute, text in quoted strings. */
  readonly data: string;
  readonly priority: number | null;
  /** Line on which the record begins; the first line is 1. */
  readonly line: number;
}

/** Why a line of a zone file is rejected; `message` says what would be right. */
export interface ZoneTextProblem {
  readonly line: number;
  /** `unsupported-type`: a sound line, as far as that can be said of a type that is not read here. */
  readonly code: 'syntax' | 'unsupported-type';
  readonly message: string;
}

/**
 * Result at one position of a zone file: a record, a problem, or nothing. After nothing, parsing continues; the reader of a
 * long file may do other work first.
 */
export type ZoneTextItem =
  | { readonly record: ZoneTextRecord }
  | { readonly problem: ZoneTextProblem }
  | { readonly nothing: true };

/** Values that the file itself does not contain. */
export interface ZoneTextOptions {
  /** The `$ORIGIN` in force before the first line. */
  readonly origin: string;
  /** The `$TTL` in force before the first line, in seconds. */
  readonly defaultTtl?: number;
}

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
