import { DnsSyntaxError, toAsciiDomainName } from '@zonewright/dns-records';

/** The stored form of a name to filter by; a text that is no name is kept, and matches nothing. */
export function canonicalFilterName(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  try {
    return toAsciiDomainName(name);
  } catch (error) {
    if (!(error instanceof DnsSyntaxError)) throw error;
    return name;
  }
}
