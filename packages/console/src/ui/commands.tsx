import { useMessages } from '../messages/language.js';
import { SHARED } from '../messages/shared.js';
import styles from './commands.module.css';
import { Snippet } from './snippet.js';

interface CommandsProps {
  /** Its words, after the program's name; or all of it, where it is more than that. */
  readonly command: readonly string[] | string;
  /** Of the DNS API, the same. */
  readonly request: {
    readonly method: 'POST' | 'DELETE';
    readonly path: string;
    readonly body?: unknown;
  };
}

/** What a dialog would do, for a POSIX shell in which TOKEN is a token. */
export function Commands({ command, request: { method, path, body } }: CommandsProps) {
  const t = useMessages(SHARED);
  const sent =
    body === undefined
      ? ''
      : ` --header 'Content-Type: application/json' --data-raw ${quote(JSON.stringify(body))}`;
  const commands = [
    [
      'zonewright',
      typeof command === 'string' ? command : ['zonewright', ...command].map(quote).join(' '),
    ],
    [
      'curl',
      `curl --request ${method} --header "X-Auth-Token: $TOKEN"${sent} "$ZONEWRIGHT_DNS_URL${path}"`,
    ],
  ] as const;
  return (
    <details className={styles['commands']}>
      <summary>{t.asCommands}</summary>
      {commands.map(([program, text]) => (
        <div key={program} className={styles['command']}>
          <Snippet label={program} text={text} copyLabel={t.copyCommand(program)} />
        </div>
      ))}
    </details>
  );
}

export function quote(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
