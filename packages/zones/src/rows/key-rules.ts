import {
  type AccessAction,
  type AccessRule,
  allowedExpression,
  isAboutZone,
  isAllowed,
} from '@zonewright/dns-records';
import { ServiceError } from '@zonewright/service-kit';
import type { AnyViewer, Caller, Viewer } from '../request/caller.js';
import { ANY_ROW, type Condition } from './listing.js';

// The rules of restricted keys are applied in three places, all of which call this file: looking up a zone, reading
// records, and writing changes.

interface ZoneName {
  readonly name: string;
}

interface RecordPlace {
  readonly name: string;
  readonly type: string;
}

/** Actions, one of which must be allowed to find a record, even if only to change it. */
const FINDING: readonly AccessAction[] = ['read', 'update'];
const ANY = '*';
const EVERY_NAME = '**';

/** Whether the caller has one of the operator's roles. A restricted key never has one, since it is for one tenant. */
export function isOperator({ roles, key }: Caller, operatorRoles: readonly string[]): boolean {
  return key === undefined && roles.some((role) => operatorRoles.includes(role));
}

/** Whether rules limit the records that the caller may see. */
export function hasRules({ key }: Viewer): boolean {
  return key?.rules !== undefined;
}

/** Whether the caller may see a zone of its tenant. */
export function mayUseZone({ key }: Viewer, zone: ZoneName): boolean {
  return key?.rules?.some((rule) => isAboutZone(rule, zone.name)) ?? true;
}

/** Whether the caller may read all records of a zone, or transfer it. */
export function mayTransferZone({ key }: Viewer, zone: ZoneName): boolean {
  const isWhole = ({ name, types }: AccessRule) => name === EVERY_NAME && types.includes(ANY);
  const mayRead = ({ actions }: AccessRule) => actions.some((action) => action !== 'update');
  return (
    key?.rules?.some((rule) => isAboutZone(rule, zone.name) && isWhole(rule) && mayRead(rule)) ??
    true
  );
}

/** Returns the names of the zones that the caller may see. Undefined means all zones of the tenant. */
export function usableZones({ key }: AnyViewer): readonly string[] | undefined {
  const names = key?.rules?.map(({ zone }) => zone);
  return names?.includes(ANY) === true ? undefined : names;
}

/** Whether the caller may find a record, for which any right on it is sufficient. */
export function mayFind(viewer: Viewer, zone: ZoneName, record: RecordPlace): boolean {
  return isAllowedBy(viewer, FINDING, { zone, record });
}

/** Whether the caller may read a record. readableRecords is the same condition in SQL. */
export function mayRead(viewer: Viewer, zone: ZoneName, record: RecordPlace): boolean {
  return isAllowedBy(viewer, ['read'], { zone, record });
}

/** Returns the condition for rows `r` of a zone's records that the caller may read. */
export function readableRecords({ key }: Viewer, zone: ZoneName): Condition {
  if (key?.rules === undefined) return ANY_ROW;
  const allowed = allowedExpression(key.rules, ['read'], zone.name);
  return { sql: `(r.type || ' ' || r.name) ~ :allowed`, values: { allowed } };
}

/** Change of a record, one side of which may be missing. */
interface Change {
  readonly before: RecordPlace | undefined;
  readonly after: RecordPlace | undefined;
}

/**
 * Requires that the caller may update every record, before and after the change.
 *
 * @throws ServiceError `forbidden`
 */
export function requireMayChange(viewer: Viewer, zone: ZoneName, changes: readonly Change[]): void {
  if (viewer.key?.rules === undefined) return;
  for (const record of changes.flatMap(({ before, after }) => [before, after])) {
    if (record === undefined || isAllowedBy(viewer, ['update'], { zone, record })) continue;
    throw refused(`change ${record.type} records of ${record.name}`);
  }
}

/** Rejects changes of a zone's properties, which no rule allows. @throws ServiceError `forbidden` */
export function requireMayChangeZone({ key }: Viewer): void {
  if (key?.rules !== undefined) throw refused('change the domain itself');
}

/**
 * @throws ServiceError `forbidden` if the key may not remove many records at once, or the zone belongs to another
 * project
 */
export function requireMayConfirm({ key, isGuest }: Pick<Caller, 'key' | 'isGuest'>): void {
  if (isGuest === true) {
    const message =
      'This domain is shared with your project, which cannot delete more than 30% of its records at once; ask its owner.';
    throw new ServiceError('forbidden', message);
  }
  if (key?.rules === undefined || key.massDelete) return;
  throw refused('confirm the deletion of many records (massDelete)');
}

function isAllowedBy(
  { key }: Viewer,
  actions: readonly AccessAction[],
  { zone, record }: { readonly zone: ZoneName; readonly record: RecordPlace },
): boolean {
  const { name, type } = record;
  return key?.rules === undefined || isAllowed(key.rules, actions, { zone: zone.name, name, type });
}

function refused(what: string): ServiceError {
  const message = `The restrictions of this access key do not allow it to ${what}.`;
  return new ServiceError('forbidden', message);
}
