import { ancestorsOf } from '@zonewright/dns-records';
import { invalidRequest } from '@zonewright/service-kit';
import type { UnitOfWork } from '../transactions/unit-of-work.js';
import { hasTable } from '../sql/has-table.js';
import { NamePattern } from './name-pattern.js';
import { readNameRules } from './name-rule-store.js';

/**
 * Refuses a name that operators do not let new zones have; their own roles may have all.
 *
 * @throws ServiceError `invalid`
 */
export async function requireAllowedName(
  { trx, caller, rules }: UnitOfWork,
  zoneName: string,
): Promise<void> {
  if (caller.roles.some((role) => rules.cloudAdminRoles?.includes(role))) return;
  // Not before migration 0022.
  if (!(await hasTable(trx, 'name_rules'))) return;
  const above = ancestorsOf(zoneName).map(withoutDot);
  const found = await readNameRules(trx, withoutDot(zoneName), above);
  const quoted = JSON.stringify(zoneName);
  if (found.isTld) {
    throw refusal('tld', `${quoted} is a top-level name here; write a name below it.`);
  }
  if (found.hasTlds && !found.isBelowTld) {
    throw refusal('tld', `${quoted} lies below none of the top-level names of this service.`);
  }
  if (found.patterns.some((pattern) => NamePattern.compile(pattern).isIn(zoneName))) {
    throw refusal('blacklist', `The operator of this service lets no domain be called ${quoted}.`);
  }
}

function withoutDot(name: string): string {
  return name.slice(0, -1);
}

function refusal(validator: string, message: string) {
  return invalidRequest([{ path: 'name', validator, message }], 'zone-name');
}
