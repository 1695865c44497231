import { isIPv4, isIPv6 } from 'node:net';
import {
  checkDomainName,
  checkEmail,
  type Problem,
  toAsciiDomainName,
} from '@zonewright/dns-records';
import { ServiceError } from '@zonewright/service-kit';

/**
 * The canonical form of a name that is held to the rules for domains (D-ZONE); the trailing
 * dot may be left out.
 *
 * @throws ServiceError invalid
 */
export function parseDomainName(text: string): string {
  const absolute = text.endsWith('.') ? text : `${text}.`;
  refuse(checkDomainName(absolute));
  return toAsciiDomainName(absolute);
}

/** Reads a mailbox for an SOA record. @throws ServiceError invalid */
export function parseMailbox(text: string): string {
  refuse(checkEmail(text));
  return text;
}

/** @throws ServiceError invalid */
export function parseIpv4(text: string): string {
  if (isIPv4(text)) return text;
  throw new ServiceError('invalid', `"${text}" is not an IPv4 address`);
}

/** Without a zone index, which means something on one machine only. @throws ServiceError invalid */
export function parseIpv6(text: string): string {
  if (isIPv6(text) && !text.includes('%')) return text;
  throw new ServiceError('invalid', `"${text}" is not an IPv6 address`);
}

/** One sentence is enough on a command line: the first problem. */
function refuse([problem]: readonly Problem[]): void {
  if (problem !== undefined) {
    throw new ServiceError('invalid', problem.message.replace(/\.$/, ''), { details: problem });
  }
}
