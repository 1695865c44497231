import { isIP } from 'node:net';
import { inQuotes } from '../problems/in-quotes.js';
import { findNameFaults } from '../names/name-rules.js';
import { isAbsolute, toAbsoluteName } from '../names/relative-names.js';
import { findAsciiDomainName, isAscii } from '../names/to-ascii-domain-name.js';
import type { Problem } from '../problems/problem.js';
import { dataProblem } from './data-problem.js';

/** Checks that `name`, a target in a record's data, is an absolute host name (D-ZONE). */
export function checkTargetName(name: string, zoneName: string): Problem[] {
  if (isIP(name.replace(/\.$/, '')) !== 0) {
    const right = 'give the address an A or AAAA record and write the name of that record';
    return [dataProblem(name, `is an address where a host name must be; ${right}`)];
  }
  if (name === '' || name === '.') {
    return [dataProblem(name, `is no host name; write one such as "host.${zoneName}"`)];
  }
  const asciiName = isAscii(name) ? undefined : findAsciiDomainName(name);
  if (asciiName !== undefined) {
    return [dataProblem(name, `is not ASCII; write ${inQuotes(asciiName)}`)];
  }
  const faults = findNameFaults(name).map(({ what, validator }) =>
    dataProblem(name, what, validator),
  );
  return isAbsolute(name) ? faults : [relativeNameProblem(name, zoneName), ...faults];
}

function relativeNameProblem(name: string, zoneName: string): Problem {
  // A single label is most likely meant inside the zone, several are the whole name without its dot.
  const absolute = toAbsoluteName(name, name.includes('.') ? '.' : zoneName);
  return dataProblem(name, `is a relative name; write ${inQuotes(absolute)}`, 'absolute');
}
