import { isIP } from 'node:net';
import { findNameFaults, isPlainName, type LabelRule } from '../names/name-rules.js';
import { isAbsolute, toAbsoluteName } from '../names/owner-names.js';
import { findAsciiDomainName, isAscii } from '../names/to-ascii-domain-name.js';
import { inQuotes, type Problem, RdataSyntaxError } from '../values/problem.js';
import { nameToWire } from '../wire/name-to-wire.js';
import { lowerCaseOctets } from '../wire/octets.js';
import { nameEnd, wireToName } from '../wire/wire-to-name.js';
import { dataProblem } from './checked-data.js';
import { type Field, oneWord } from './field.js';
import type { Rdata, RdataCodec } from './record-type.js';
import { bareText } from './words.js';

interface NameRules {
  /** Whether letters are converted to lower case when rdata is compared (RFC 4034 s6.2). */
  readonly isLowered: boolean;
  /** Whether the name must be a host name. Otherwise any labels are allowed. */
  readonly isHost: boolean;
  /** Whether "." is allowed, meaning that there is no such host. */
  readonly mayBeRoot: boolean;
}

/** Domain name, absolute and never compressed. */
export function domainName(label: string, rules: NameRules): Field {
  return {
    label,
    isName: true,
    isLowered: rules.isLowered,
    toWire: (words) => nameToWire(bareText(label, oneWord(words))),
    fromWire: (wire, at) => ({ text: wireToName(wire, at), end: nameEnd(wire, at) }),
    check: (name, zoneName) => {
      if (name === '.' && rules.mayBeRoot) return [];
      return checkTargetName(name, zoneName, rules.isHost ? 'host' : 'any');
    },
  };
}

/** Returns the codec of types whose rdata is one name: NS and CNAME (RFC 1035 s3.3.11, s3.3.1). */
export function singleNameCodec(type: string, number: number): RdataCodec {
  return {
    number,
    toWire: nameToWire,
    fromWire: (wire) => nameFromWire(type, wire),
    canonical: lowerCaseOctets,
  };
}

function nameFromWire(type: string, wire: Uint8Array): Rdata {
  requireEnd(type, wire, nameEnd(wire, 0));
  return { data: wireToName(wire), priority: null };
}

/** @throws RdataSyntaxError if the last field does not extend to the end of the rdata */
export function requireEnd(type: string, wire: Uint8Array, end: number): void {
  if (end !== wire.length) {
    throw new RdataSyntaxError(
      `The ${type} rdata has ${wire.length} octets, but its fields take ${end}.`,
    );
  }
}

/**
 * Checks that `name`, a target in a record's data, is absolute and has the labels that `rule` allows (D-ZONE,
 * D-REC-18).
 */
export function checkTargetName(
  name: string,
  zoneName: string,
  rule: LabelRule = 'host',
): Problem[] {
  // An address ends with a digit.
  if (isPlainName(name) && /[a-z]\.$/i.test(name)) return [];
  if (isIP(name.replace(/\.$/, '')) !== 0) {
    const right = 'create an A or AAAA record with the address and write the name of that record';
    return [dataProblem(name, `is an address, but a host name is required; ${right}`)];
  }
  if (name === '' || name === '.') {
    return [dataProblem(name, `is not a host name; write one such as "host.${zoneName}"`)];
  }
  const asciiName = isAscii(name) ? undefined : findAsciiDomainName(name);
  if (asciiName !== undefined) {
    return [dataProblem(name, `is not ASCII; write ${inQuotes(asciiName)}`)];
  }
  const faults = findNameFaults(name, rule).map(({ what, validator }) =>
    dataProblem(name, what, validator),
  );
  return isAbsolute(name) ? faults : [relativeNameProblem(name, zoneName), ...faults];
}

function relativeNameProblem(name: string, zoneName: string): Problem {
  // A single label is probably relative to the zone; several labels are probably an absolute name without its dot.
  const absolute = toAbsoluteName(name, name.includes('.') ? '.' : zoneName);
  return dataProblem(name, `is a relative name; write ${inQuotes(absolute)}`, 'absolute');
}
