import { canonicalOwnerName, isAbsolute, toAbsoluteName } from '../names/owner-names.js';
import { MAX_TTL_SECONDS, parseSeconds } from '../values/numbers.js';
import { inQuotes } from '../values/problem.js';
import { nameToWire } from '../wire/name-to-wire.js';
import type { Token } from './entry-scanner.js';
import { ZoneSyntaxError, type ZoneTextOptions } from './zone-text.js';

/**
 * Values that earlier entries of a zone file set for later ones. A value is undefined if the entry that should have set
 * it was rejected. A later entry that needs it is then rejected, too, instead of using an older value that the author
 * did not intend.
 */
export interface ZoneState {
  origin: string | undefined;
  /** Value of `$TTL` (RFC 2308 s4). */
  defaultTtl: number | undefined;
  /** TTL of the last record that had one. It is used if there is no `$TTL` (RFC 1035 s5.1). */
  lastTtl: number | undefined;
  /** Undefined if the file must state a TTL, or if a `$TTL` was refused. */
  fallbackTtl: number | undefined;
  ownerName: string | undefined;
  /** Number of records that `$GENERATE` has made so far. */
  generated: number;
}

/** Returns the state before the first line. @throws NameSyntaxError if the origin is not a valid name */
export function initialState(options: ZoneTextOptions): ZoneState {
  nameToWire(options.origin);
  return {
    origin: canonicalOwnerName(options.origin),
    defaultTtl: options.defaultTtl,
    lastTtl: undefined,
    fallbackTtl: options.fallbackTtl,
    ownerName: undefined,
    generated: 0,
  };
}

/** Returns the absolute name of a token. @throws DnsSyntaxError */
export function readName(token: Token, state: ZoneState): string {
  if (token.quoted) {
    throw new ZoneSyntaxError(`The name ${inQuotes(token.text)} is in quotes; remove them.`);
  }
  if (isAbsolute(token.text)) {
    return token.text;
  }
  if (state.origin === undefined) {
    throw new ZoneSyntaxError('The last $ORIGIN before this line is not valid; correct it first.');
  }
  return toAbsoluteName(token.text, state.origin);
}

/** Returns an owner name in canonical form. @throws DnsSyntaxError */
export function readOwnerName(token: Token, state: ZoneState): string {
  const name = readName(token, state);
  nameToWire(name);
  return canonicalOwnerName(name);
}

/** Returns a TTL in seconds. @throws ZoneSyntaxError */
export function readTtl(text: string): number {
  const seconds = parseSeconds(text);
  if (seconds === undefined || seconds > MAX_TTL_SECONDS) {
    throw new ZoneSyntaxError(
      `The TTL ${inQuotes(text)} is not valid; write seconds from 0 to ${MAX_TTL_SECONDS}, or units as in "1h30m".`,
    );
  }
  return seconds;
}
