import type { AccessKeySummary, RestrictionContent } from '@zonewright/accounts';
import type { Column } from '@zonewright/terminal';

/** A key with its restrictions in words. */
type AccessKeyRow<T extends AccessKeySummary = AccessKeySummary> = T & {
  readonly restrictedTo: string | null;
};

export const ACCESS_KEY_COLUMNS: readonly Column<AccessKeyRow>[] = [
  { title: 'Id', member: 'id' },
  { title: 'Name', member: 'name' },
  { title: 'User', member: 'userName' },
  { title: 'Status', member: 'status' },
  { title: 'Algorithm', member: 'algorithm', isDetail: true },
  { title: 'Key length', member: 'keyLength', isDetail: true },
  { title: 'Valid from', member: 'validFrom', isDetail: true },
  { title: 'Valid to', member: 'validTo' },
  { title: 'Created', member: 'createdAt', isDetail: true },
  { title: 'Last used', member: 'lastUsedAt', none: 'never' },
  { title: 'Restricted to', member: 'restrictedTo', none: 'nothing' },
];

export function toRow<T extends AccessKeySummary>(key: T): AccessKeyRow<T> {
  return { ...key, restrictedTo: key.restriction && describe(key.restriction) };
}

function describe({ tenantId, rules, networks }: RestrictionContent): string {
  const [rule, ...others] = rules ?? [];
  const what =
    rule === undefined
      ? `tenant ${tenantId}`
      : `${rule.actions.join('+')} ${rule.types.join('+')} ${rule.name} in ${rule.zone}`;
  const more = others.length === 0 ? '' : `, ${others.length} more rules`;
  return what + more + (networks.length === 0 ? '' : `, from ${networks.join(' ')}`);
}
