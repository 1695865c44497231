import { checkDescription, checkEmail, checkTtl, toAsciiDomainName } from '@zonewright/dns-records';
import { checkZoneName } from '@zonewright/dns-records/zone-names';
import { checkMembers } from '../http/members.js';
import { invalidRequest, type Problem } from '@zonewright/service-kit';
import type { Zone } from './zone.js';

/** What users decide about a zone. */
export type ZoneContent = Pick<Zone, 'name' | 'email' | 'ttl' | 'description'>;

const DEFAULT_TTL_SECONDS = 3_600;

/** The members of DNS API s4, Create and Update Domain. */
const WRITABLE = ['name', 'ttl', 'email', 'description'];
/** Members of a domain as it is read; an update may carry them, and they change nothing. */
const READ_ONLY = ['id', 'serial', 'created_at', 'updated_at'];

/** Reads the body of Create Domain. @throws ServiceError `invalid` with all problems. */
export function readNewZone(body: unknown): ZoneContent {
  const members = checkMembers(body, WRITABLE);
  const nameProblems = checkZoneName(members.values['name']);
  const otherProblems = [...members.problems, ...checkContent(members.values)];
  // A name that is a string but no name for a domain has an error type of its own (decisions 3, Error body).
  const isNameAlone = otherProblems.length === 0 && typeof members.values['name'] === 'string';
  requireNone([...nameProblems, ...otherProblems], isNameAlone);
  const { name, email, ttl, description } = members.values as Partial<ZoneContent>;
  return {
    name: toAsciiDomainName(name ?? ''),
    email: email ?? '',
    ttl: ttl ?? DEFAULT_TTL_SECONDS,
    description: description ?? null,
  };
}

/**
 * Reads the body of Update Domain: what it leaves out stays as it is. Renaming is refused.
 *
 * @throws ServiceError `invalid` with all problems.
 */
export function readZoneUpdate(body: unknown, zone: Zone): ZoneContent {
  const members = checkMembers(body, [...WRITABLE, ...READ_ONLY]);
  const { name: givenName, ...given } = members.values;
  const merged: Record<string, unknown> = {
    email: zone.email,
    ttl: zone.ttl,
    description: zone.description,
    ...given,
  };
  const problems = [
    ...members.problems,
    ...checkSameName(givenName, zone),
    ...checkContent(merged),
  ];
  requireNone(problems, false);
  const { email, ttl, description } = merged as unknown as ZoneContent;
  return { name: zone.name, email, ttl, description };
}

function checkContent(values: Readonly<Record<string, unknown>>): Problem[] {
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
      message: `name cannot be changed; it is ${JSON.stringify(zone.name)}. Create a domain of the new name instead.`,
    },
  ];
}

function requireNone(problems: readonly Problem[], isNameAlone: boolean): void {
  if (problems.length > 0) throw invalidRequest(problems, isNameAlone ? 'zone-name' : undefined);
}
