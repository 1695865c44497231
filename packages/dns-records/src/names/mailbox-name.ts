import { NameSyntaxError } from '../problems/dns-syntax-error.js';
import { inQuotes } from '../problems/in-quotes.js';
import { concatOctets } from '../wire/octets.js';
import { nameToWire } from '../wire/name-to-wire.js';
import { wireToName } from '../wire/wire-to-name.js';
import { toAsciiDomainName } from './to-ascii-domain-name.js';

/** An atom or atoms with single dots between (RFC 5322 s3.2.3, dot-atom-text). */
const LOCAL_PART = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const MAX_LOCAL_PART_OCTETS = 63;

/**
 * An e-mail address as the RNAME of an SOA (RFC 1035 s8): the local part is the first label, its
 * dots escaped; U-labels of the domain become A-labels. Throws NameSyntaxError.
 */
export function emailToMailboxName(email: string): string {
  const [localPart = '', domain = '', ...rest] = email.split('@');
  if (rest.length > 0 || !isLocalPart(localPart)) {
    throw new NameSyntaxError(
      `The address ${inQuotes(email)} is not a mailbox; write one such as "hostmaster@example.com".`,
    );
  }
  const label = Buffer.from(localPart, 'ascii');
  const name = concatOctets([
    Uint8Array.of(label.length),
    label,
    nameToWire(toAsciiDomainName(domain)),
  ]);
  return wireToName(name);
}

/** Whether the text can be the part before the @ of a mailbox in an SOA: one label, no quoted strings. */
export function isLocalPart(text: string): boolean {
  return text.length <= MAX_LOCAL_PART_OCTETS && LOCAL_PART.test(text);
}
