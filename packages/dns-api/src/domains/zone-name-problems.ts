import { checkDomainName, toAsciiDomainName } from '@zonewright/dns-records';
import type { Problem } from '../problem.js';
import { isPublicSuffix } from './public-suffix.js';

/** What is wrong with the name of a new zone (decisions 3, Domain). */
export function checkZoneName(name: unknown): readonly Problem[] {
  const problems = checkDomainName(name);
  return problems.length > 0 || typeof name !== 'string' ? problems : checkSuffix(name);
}

function checkSuffix(name: string): Problem[] {
  if (!isPublicSuffix(toAsciiDomainName(name))) return [];
  return [
    {
      path: 'name',
      validator: 'publicSuffix',
      message: `name ${JSON.stringify(name)} is a public suffix, under which registries sell names; write a name below it, such as "example.${name}".`,
    },
  ];
}
