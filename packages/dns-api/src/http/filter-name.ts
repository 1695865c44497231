import { DnsSyntaxError, toAsciiDomainName } from '@zonewright/dns-records';

/** Returns the stored form of a name filter. A text that is not a name is returned unchanged and matches nothing. */
export function canonicalFilterName(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  try {
    return toAsciiDomainName(name);
  } catch (error) {
    if (!(error instanceof DnsSyntaxError)) throw error;
    return name;
  }
}
