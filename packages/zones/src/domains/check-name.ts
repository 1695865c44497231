import { ancestorsOf } from '@zonewright/dns-records';
import { invalidRequest, Slices } from '@zonewright/service-kit';
import { isOperator } from '../rows/key-rules.js';
import type { UnitOfWork } from '../request/unit-of-work.js';
import { NamePattern } from './name-pattern.js';
import { readNameRules } from './name-rule-store.js';

/**
 * Rejects a name that the operator's rules do not allow for new zones. The operator's roles may use any name.
 *
 * @throws ServiceError `invalid`
 */
export async function requireAllowedName(
  { trx, caller, rules }: UnitOfWork,
  zoneName: string,
): Promise<void> {
  if (isOperator(caller, rules.cloudAdminRoles ?? [])) return;
  const above = ancestorsOf(zoneName).map(withoutDot);
  const found = await readNameRules(trx, withoutDot(zoneName), above);
  const quoted = JSON.stringify(zoneName);
  if (found.isTld) {
    throw refusal('tld', `${quoted} is a top-level domain of this service; write a name below it.`);
  }
  if (found.hasTlds && !found.isBelowTld) {
    throw refusal('tld', `${quoted} is not below a top-level domain of this service.`);
  }
  if (await isInOneOf(found.patterns, zoneName)) {
    throw refusal(
      'blacklist',
      `The operator of this service does not allow the domain name ${quoted}.`,
    );
  }
}

/** Matches in slices: all patterns of a service with the longest name take tens of milliseconds. */
async function isInOneOf(patterns: readonly string[], zoneName: string): Promise<boolean> {
  const slices = new Slices();
  for (const pattern of patterns) {
    if (slices.isOver) await slices.next();
    if (NamePattern.compile(pattern).isIn(zoneName)) return true;
  }
  return false;
}

function withoutDot(name: string): string {
  return name.slice(0, -1);
}

function refusal(validator: string, message: string) {
  return invalidRequest([{ path: 'name', validator, message }], 'zone-name');
}
