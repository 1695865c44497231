import { isAbsolute } from '../names/relative-names.js';
import { isAscii } from '../names/to-ascii-domain-name.js';
import { nameToWire } from '../wire/name-to-wire.js';
import { nameEnd, wireToName } from '../wire/wire-to-name.js';
import { checkTargetName } from './target-name.js';
import { type Field, oneWord } from './field.js';
import { bareText } from './words.js';

interface NameRules {
  /** Whether its letters count as lower case when rdata is compared (RFC 4034 s6.2). */
  readonly isLowered: boolean;
  /** Whether it must be the name of a host; otherwise any labels will do. */
  readonly isHost: boolean;
  /** Whether "." is allowed, which means that there is no such host. */
  readonly mayBeRoot: boolean;
}

/** A domain name, absolute and never compressed. */
export function domainName(label: string, rules: NameRules): Field {
  return {
    label,
    isName: true,
    isLowered: rules.isLowered,
    toWire: (words) => nameToWire(bareText(label, oneWord(words))),
    fromWire: (wire, at) => ({ text: wireToName(wire, at), end: nameEnd(wire, at) }),
    check: (name, zoneName) => {
      if (name === '.' && rules.mayBeRoot) return [];
      const isOfAnyLabels = !rules.isHost && name !== '.' && isAbsolute(name) && isAscii(name);
      return isOfAnyLabels ? [] : checkTargetName(name, zoneName);
    },
  };
}
