import type { ListedDomain } from '../../api/queries.js';
import { useMessages } from '../../messages/language.js';
import { Snippet } from '../../ui/snippet.js';
import styles from './as-commands.module.css';
import { type Change, toOperation } from './batch-review.js';
import { MESSAGES } from './messages.js';

interface AsCommandsProps {
  readonly domain: ListedDomain;
  readonly changes: readonly Change[];
}

/** What saving would do, for a POSIX shell in which TOKEN is a token. */
export function AsCommands({ domain, changes }: AsCommandsProps) {
  const t = useMessages(MESSAGES);
  const path = `/v1/domains/${domain.id}/batch?extended=true`;
  const body = quote(JSON.stringify({ operations: changes.map(toOperation) }));
  const commands = [
    [
      'zonewright',
      addCommands(domain, changes) ??
        `printf %s ${body} | zonewright api POST ${quote(path)} --input -`,
    ],
    [
      'curl',
      `curl --request POST --header "X-Auth-Token: $TOKEN" --header 'Content-Type: application/json' --data-raw ${body} "$ZONEWRIGHT_DNS_URL${path}"`,
    ],
  ] as const;
  return (
    <details className={styles['commands']}>
      <summary>{t.asCommands}</summary>
      {commands.map(([program, command]) => (
        <div key={program} className={styles['command']}>
          <Snippet label={program} text={command} copyLabel={t.copyCommand(program)} />
        </div>
      ))}
    </details>
  );
}

/** Undefined: `record add` cannot say them all, or not in one step. */
function addCommands(domain: ListedDomain, changes: readonly Change[]): string | undefined {
  const [only, ...others] = changes;
  return only === undefined || others.length > 0 ? undefined : addCommand(domain, only);
}

/** Undefined: `record add` cannot say it. */
function addCommand({ name: zone }: ListedDomain, { before, after }: Change): string | undefined {
  if (before !== undefined || after?.description !== null) return undefined;
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
  return ['zonewright record add', ...[...words, ...options].map(quote)].join(' ');
}

function quote(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
