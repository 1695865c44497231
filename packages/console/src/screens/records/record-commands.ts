import type { ListedDomain } from '../../api/queries.js';
import type { Line } from '../../change-list/zone-line.js';
import { curl, type CommandTexts, zonewright, zonewrightApi } from '../../ui/shell.js';
import { type Change, toOperation } from './batch-review.js';
import { recordsetFor } from './recordset.js';
import type { ListedRecord } from './use-records.js';

const NOTHING: Change = { before: undefined, after: undefined };

/** Nobody reads more. */
const MOST_CHANGES = 100;

/**
 * Returns the commands that do the same as saving. Undefined if nothing changes or if there are too many changes for a command.
 *
 * @param known all records of the domain; undefined if not all of them are loaded
 */
export function recordCommands(
  domain: ListedDomain,
  changes: readonly Change[],
  known?: readonly ListedRecord[],
): CommandTexts | undefined {
  if (changes.length === 0 || changes.length > MOST_CHANGES) return undefined;
  const request = {
    method: 'POST',
    path: `/v1/domains/${domain.id}/batch?extended=true`,
    body: { operations: changes.map(toOperation), confirm: true },
  } as const;
  const words = addCommand(domain, changes);
  return {
    zonewright: words === undefined ? zonewrightApi(request) : zonewright(...words),
    curl: curl(request),
    terraform: recordsetFor(domain, changes, known),
  };
}

/** Undefined: `record add` cannot say them all, or not in one step. */
function addCommand(
  { name: zone }: ListedDomain,
  [{ before, after } = NOTHING, ...others]: readonly Change[],
): readonly string[] | undefined {
  if (others.length > 0 || before !== undefined || after?.description !== null) return undefined;
  const { name, type, data, priority } = after;
  const words = [zone, name, type, ...(priority === null ? [] : [String(priority)]), data];
  // It would be taken for an option.
  if (words.some((word) => word.startsWith('-'))) return undefined;
  return ['record', 'add', ...words, ...optionsOf(after)];
}

function optionsOf({ ttl, disabled, expires_at: end, tags = [] }: Line): readonly string[] {
  return [
    ...(ttl === null ? [] : ['--ttl', String(ttl)]),
    ...(disabled === true ? ['--disable'] : []),
    ...(end == null ? [] : ['--expires', end]),
    ...(tags.length === 0 ? [] : ['--tag', tags.join(',')]),
  ];
}
