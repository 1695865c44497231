import { parse } from 'tldts';
import { checkDomainName } from './checks/domain.js';
import { toAsciiDomainName } from './names/to-ascii-domain-name.js';
import type { Problem } from './values/problem.js';

// This file is separate from index.ts, since the list of suffixes is large and nameservers do not need it.

// Only the suffixes of registries count (the ICANN part of the Public Suffix List). Names of the private part, such as
// github.io, belong to owners who may host them here.
const OPTIONS = { allowPrivateDomains: false, validateHostname: false, detectIp: false };

/** Checks the name of a new zone (D-ZONE). */
export function checkZoneName(name: unknown): readonly Problem[] {
  const problems = checkDomainName(name);
  return problems.length > 0 || typeof name !== 'string' ? problems : checkSuffix(name);
}

/**
 * Returns the name that a registry sells: the public suffix and one label. Two zones have it in common if one is below
 * the other, since no public suffix is a zone here.
 */
export function registrableDomain(zoneName: string): string {
  return parse(zoneName.slice(0, -1), OPTIONS).domain ?? zoneName.slice(0, -1);
}

function checkSuffix(name: string): Problem[] {
  if (!isPublicSuffix(toAsciiDomainName(name))) return [];
  return [
    {
      path: 'name',
      validator: 'publicSuffix',
      message: `name ${JSON.stringify(name)} is a public suffix, below which registries register domains; write a name below it, such as "example.${name}".`,
    },
  ];
}

/** Whether a zone name is a public suffix, such as `com.` and `co.uk.` */
function isPublicSuffix(zoneName: string): boolean {
  const name = zoneName.slice(0, -1);
  return parse(name, OPTIONS).publicSuffix === name;
}
