import { parse } from 'tldts';

// Registries' suffixes only (the ICANN part of the Public Suffix List): names of the private part, such as
// github.io, belong to somebody who may well host them here.
const OPTIONS = { allowPrivateDomains: false, validateHostname: false, detectIp: false };

/** Whether a zone name is a public suffix itself, as `com.` and `co.uk.` (decisions 3, Domain). */
export function isPublicSuffix(zoneName: string): boolean {
  const name = zoneName.slice(0, -1);
  return parse(name, OPTIONS).publicSuffix === name;
}

/**
 * The name that a registry sells: the public suffix and one label. Two zones of which one lies in the other
 * have it in common, since no public suffix is a zone here.
 */
export function registrableDomain(zoneName: string): string {
  return parse(zoneName.slice(0, -1), OPTIONS).domain ?? zoneName.slice(0, -1);
}
