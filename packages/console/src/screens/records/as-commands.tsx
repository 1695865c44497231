import type { ListedDomain } from '../../api/queries.js';
import { Commands, quote } from '../../ui/commands.js';
import { type Change, toOperation } from './batch-review.js';

const NOTHING: Change = { before: undefined, after: undefined };

interface AsCommandsProps {
  readonly domain: ListedDomain;
  readonly changes: readonly Change[];
}

/** An argument has at most 128 KiB (Linux, MAX_ARG_STRLEN), and nobody reads more. */
const MOST_CHANGES = 100;

/** What saving would do; nothing where there is nothing to do, or too much for a command. */
export function AsCommands({ domain, changes }: AsCommandsProps) {
  if (changes.length === 0 || changes.length > MOST_CHANGES) return null;
  const path = `/v1/domains/${domain.id}/batch?extended=true`;
  const body = { operations: changes.map(toOperation), confirm: true };
  const piped = `printf %s ${quote(JSON.stringify(body))} | zonewright api POST ${quote(path)} --input -`;
  return (
    <Commands
      command={addCommand(domain, changes) ?? piped}
      request={{ method: 'POST', path, body }}
    />
  );
}

/** Undefined: `record add` cannot say them all, or not in one step. */
function addCommand(
  { name: zone }: ListedDomain,
  [{ before, after } = NOTHING, ...others]: readonly Change[],
): readonly string[] | undefined {
  if (others.length > 0 || before !== undefined || after?.description !== null) return undefined;
  const { name, type, data, ttl, priority, disabled, expires_at: end, tags = [] } = after;
  const words = [zone, name, type, ...(priority === null ? [] : [String(priority)]), data];
  // It would be taken for an option.
  if (words.some((word) => word.startsWith('-'))) return undefined;
  const options = [
    ...(ttl === null ? [] : ['--ttl', String(ttl)]),
    ...(disabled === true ? ['--disable'] : []),
    ...(end == null ? [] : ['--expires', end]),
    ...(tags.length === 0 ? [] : ['--tag', tags.join(',')]),
  ];
  return ['record', 'add', ...words, ...options];
}
