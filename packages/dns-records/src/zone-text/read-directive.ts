import { inQuotes } from '../values/problem.js';
import type { Token } from './entry-scanner.js';
import { readOwnerName, readTtl, type ZoneState } from './zone-state.js';
import { ZoneSyntaxError } from './zone-text.js';

/** Applies `$ORIGIN` or `$TTL` to the state (RFC 1035 s5.1, RFC 2308 s4). @throws DnsSyntaxError */
export function readDirective(tokens: readonly Token[], state: ZoneState): void {
  const [directive, argument, ...rest] = tokens;
  const name = directive?.text.toUpperCase() ?? '';
  switch (name) {
    case '$ORIGIN':
      setOrigin(requireOneArgument(name, argument, rest), state);
      break;
    case '$TTL':
      setDefaultTtl(requireOneArgument(name, argument, rest), state);
      break;
    // A user's zone file must not read files of the server.
    case '$INCLUDE':
      throw new ZoneSyntaxError('$INCLUDE is not supported; insert the included lines instead.');
    default:
      throw new ZoneSyntaxError(
        `The directive ${inQuotes(name)} is not supported; use only $ORIGIN, $TTL and $GENERATE.`,
      );
  }
}

function setOrigin(argument: Token, state: ZoneState): void {
  const { origin } = state;
  state.origin = undefined;
  state.origin = readOwnerName(argument, { ...state, origin });
}

function setDefaultTtl(argument: Token, state: ZoneState): void {
  state.defaultTtl = undefined;
  state.lastTtl = undefined;
  // If this $TTL is invalid, no earlier value may replace it.
  state.fallbackTtl = undefined;
  state.defaultTtl = readTtl(argument.text);
}

function requireOneArgument(
  directive: string,
  argument: Token | undefined,
  rest: readonly Token[],
): Token {
  if (argument === undefined || rest.length > 0) {
    throw new ZoneSyntaxError(`${directive} takes exactly one value.`);
  }
  return argument;
}
