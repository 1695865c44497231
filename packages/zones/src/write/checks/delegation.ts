import type { ZoneRecord } from '../../rows/record.js';
import { beginning, type RecordChange, served } from '../changes/record-change.js';
import type { RuleFacts } from './rule-facts.js';
import type { Violation } from './violation.js';

/**
 * Rejects a DS record at a name without a delegation (RFC 4035 section 2.4): NS records, or a child zone that has primaries. Records of
 * a former primary can still be edited.
 */
export function checkDelegation(
  { future, childZones }: Pick<RuleFacts, 'future' | 'childZones'>,
  change: RecordChange,
): Violation[] {
  const after = beginning(change);
  if (after?.type !== 'DS' || future.get(after.name)?.hasDelegation === true) return [];
  if (childZones.get(after.name) === 'secondary') return [];
  const message = `a DS record needs the NS records of a child zone at its name, and ${JSON.stringify(after.name)} has none; create these first.`;
  return [{ change, kind: 'invalid', problem: { path: 'name', validator: 'delegation', message } }];
}

/** Names at which the changes end to serve an NS record. */
export function endedDelegations(changes: readonly RecordChange[]): string[] {
  const names = changes.map(served).flatMap(({ before, after }) => {
    const isEnded = before?.type === 'NS' && !(after?.type === 'NS' && after.name === before.name);
    return isEnded ? [before.name] : [];
  });
  return [...new Set(names)];
}

/**
 * Deletions of DS records whose delegation ends with the changes: without its NS records, a DS record makes resolvers take the name
 * for bogus.
 *
 * @param stored all served records at `endedDelegations`
 */
export function removeOrphanedDs(
  changes: readonly RecordChange[],
  stored: readonly ZoneRecord[],
): RecordChange[] {
  const changed = new Set(changes.flatMap(({ before }) => before?.id ?? []));
  const left = stored.filter(({ id }) => !changed.has(id));
  const come = changes.flatMap((change) => served(change).after ?? []);
  const delegated = new Set(
    [...left, ...come].filter(({ type }) => type === 'NS').map(({ name }) => name),
  );
  return left
    .filter(({ type, name }) => type === 'DS' && !delegated.has(name))
    .map((before) => ({ before, after: undefined }));
}
