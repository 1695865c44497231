import { DnsSyntaxError } from '../values/problem.js';

/** One record of a zone file. */
export interface ZoneTextRecord {
  /** Canonical owner name (canonicalOwnerName). The reader must check whether it is in the zone. */
  readonly ownerName: string;
  /** A record type that users may create, or SOA. */
  readonly type: string;
  /** TTL in seconds. */
  readonly ttl: number;
  /** Rdata in uncompressed wire form. */
  readonly rdata: Uint8Array;
  /** Data as stored: absolute names, and text in quoted strings. */
  readonly data: string;
  readonly priority: number | null;
  /** Line on which the record begins; the first line is 1. */
  readonly line: number;
  /** The last comment of the entry, without the semicolon and outer blanks. */
  readonly comment?: string;
}

/** Reason why a line of a zone file is rejected. `message` contains advice. */
export interface ZoneTextProblem {
  readonly line: number;
  /** `unsupported-type` means that the line looks valid, but its type cannot be parsed here. */
  readonly code: 'syntax' | 'unsupported-type';
  readonly message: string;
  /** Owner name, if the line is an SOA record whose data is not valid. */
  readonly soaOwner?: string;
}

/**
 * Result at one position of a zone file: a record, a problem, or NOTHING. After NOTHING, the reader of a long file
 * may do other work before parsing continues.
 */
export type ZoneTextItem =
  | { readonly record: ZoneTextRecord }
  | { readonly problem: ZoneTextProblem }
  | { readonly nothing: true };

/** Values that the file itself does not contain. */
export interface ZoneTextOptions {
  /** `$ORIGIN` before the first line. */
  readonly origin: string;
  /** `$TTL` before the first line, in seconds. */
  readonly defaultTtl?: number;
  /** TTL of records for which the file states none, in seconds. Without it such a record is a problem. */
  readonly fallbackTtl?: number;
  /** Number of the first line, if the text is a part of a file. */
  readonly line?: number;
}

/**
 * Reason why an entry of a zone file is rejected. It is caught for each entry, so one invalid line does not affect
 * others.
 */
export class ZoneSyntaxError extends DnsSyntaxError {
  override readonly name = 'ZoneSyntaxError';
  /** Line with the error, if it is not the first line of the entry. */
  readonly line: number | undefined;

  constructor(message: string, line?: number) {
    super(message);
    this.line = line;
  }
}

/** Error for a record of an existing type that this platform does not serve. */
export class UnsupportedTypeError extends DnsSyntaxError {
  override readonly name = 'UnsupportedTypeError';
}

/** An SOA record whose data is not valid. */
export class InvalidSoaError extends DnsSyntaxError {
  override readonly name = 'InvalidSoaError';
  readonly owner: string;

  constructor(message: string, owner: string) {
    super(message);
    this.owner = owner;
  }
}
