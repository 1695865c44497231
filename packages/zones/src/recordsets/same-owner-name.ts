import { DnsSyntaxError, toAsciiDomainName } from '@zonewright/dns-records';

/** Whether a text is another way to write a canonical name. */
export function isSameOwnerName(text: unknown, name: string): boolean {
  if (typeof text !== 'string') return false;
  try {
    return toAsciiDomainName(text) === name;
  } catch (error) {
    if (!(error instanceof DnsSyntaxError)) throw error;
    return false;
  }
}
