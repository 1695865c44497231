import { checkDescription, checkEmail, checkTtl, toAsciiDomainName } from '@zonewright/dns-records';
import { checkZoneName } from '@zonewright/dns-records/zone-names';
import { invalidRequest, type Problem } from '@zonewright/service-kit';
import type { InputMembers } from '../request/rules.js';
import type { Zone, ZoneContent } from '../rows/zone.js';

/** TTL of a domain if neither the request nor the file gives one. */
export const DEFAULT_TTL_SECONDS = 3_600;

/** Reads the content of a new zone. @throws ServiceError `invalid` with all problems */
export function newZoneContent({ values, problems }: InputMembers): ZoneContent {
  const nameProblems = checkZoneName(values['name']);
  const otherProblems = [...problems, ...checkSettings(values)];
  // A string that is not a valid domain name has its own error type (D-ZONE-7).
  const isNameAlone = otherProblems.length === 0 && typeof values['name'] === 'string';
  requireNone([...nameProblems, ...otherProblems], isNameAlone);
  const { name, email, ttl, description } = values as Partial<ZoneContent>;
  const canonical = toAsciiDomainName(name ?? '');
  return {
    name: canonical,
    displayName: displayNameOf(canonical, name),
    email: email ?? '',
    ttl: ttl ?? DEFAULT_TTL_SECONDS,
    description: description ?? null,
  };
}

/**
 * Reads the new content of an existing zone. Missing members are not changed. Renaming is rejected.
 *
 * @throws ServiceError `invalid` with all problems
 */
export function changedZoneContent({ values, problems }: InputMembers, zone: Zone): ZoneContent {
  const { name: givenName, ...given } = values;
  const merged: Record<string, unknown> = {
    email: zone.email,
    ttl: zone.ttl,
    description: zone.description,
    ...given,
  };
  requireNone([...problems, ...checkSameName(givenName, zone), ...checkSettings(merged)], false);
  const { email, ttl, description } = merged as unknown as ZoneContent;
  return { name: zone.name, displayName: zone.displayName, email, ttl, description };
}

/** Returns the name as it was written if it differs from the canonical name in the case of letters only. */
export function displayNameOf(canonical: string, written: string | undefined): string {
  if (written === undefined) return canonical;
  const absolute = written.endsWith('.') ? written : `${written}.`;
  return absolute.toLowerCase() === canonical ? absolute : canonical;
}

/** Returns the problems of a zone's content, including its name. */
export function checkZoneContent(content: Omit<ZoneContent, 'displayName'>): Problem[] {
  return [...checkZoneName(content.name), ...checkSettings({ ...content })];
}

function checkSettings(values: Readonly<Record<string, unknown>>): Problem[] {
  return [
    ...checkEmail(values['email']),
    ...checkTtl(values['ttl']),
    ...checkDescription(values['description']),
  ];
}

function checkSameName(name: unknown, zone: Zone): readonly Problem[] {
  if (name === undefined) return [];
  const problems = checkZoneName(name);
  if (problems.length > 0 || toAsciiDomainName(name as string) === zone.name) return problems;
  return [
    {
      path: 'name',
      validator: 'readOnly',
      message: `name cannot be changed; it is ${JSON.stringify(zone.name)}. Create a domain with the new name instead.`,
    },
  ];
}

function requireNone(problems: readonly Problem[], isNameAlone: boolean): void {
  if (problems.length > 0) throw invalidRequest(problems, isNameAlone ? 'zone-name' : undefined);
}
