import { count, defineMessages, useMessages } from '../state/language.js';
import styles from './change-list.module.css';
import { type RecordFlags, toComment } from './record-flags.js';

const MESSAGES = defineMessages({
  en: { more: (number: number) => `and ${count(number, 'more line', 'more lines')}` },
  de: { more: (number: number) => `und ${count(number, 'weitere Zeile', 'weitere Zeilen')}` },
});

interface ChangeListProps {
  /** Title for screen readers. */
  readonly title: string;
  readonly created: readonly Line[];
  readonly updated: readonly { readonly before: Line; readonly after: Line }[];
  readonly deleted: readonly Line[];
}

/** Maximum number of lines shown. The rest is only counted. */
const MOST_LINES = 200;

/** Created, updated and deleted records, as lines of a zone file. */
export function ChangeList({ title, created, updated, deleted }: ChangeListProps) {
  const t = useMessages(MESSAGES);
  const lines = [
    ...deleted.map((record) => `-${toZoneLine(record)}`),
    ...updated.flatMap(({ before, after }) => [`-${toZoneLine(before)}`, `+${toZoneLine(after)}`]),
    ...created.map((record) => `+${toZoneLine(record)}`),
  ];
  return (
    <div className={styles['changes']}>
      <ul tabIndex={0} aria-label={title}>
        {lines.slice(0, MOST_LINES).map((line, index) => (
          <li
            key={`${index} ${line}`}
            className={line.startsWith('+') ? styles['plus'] : styles['minus']}
          >
            {line.startsWith('+') ? '+ ' : '− '}
            {line.slice(1).replaceAll('\t', '  ')}
          </li>
        ))}
        {lines.length > MOST_LINES && (
          <li className={styles['more']}>{t.more(lines.length - MOST_LINES)}</li>
        )}
      </ul>
    </div>
  );
}

/** Parts of a record in a line of a zone file and its comment. */
export interface Line extends RecordFlags {
  readonly name: string;
  readonly type: string;
  readonly data: string;
  readonly priority: number | null;
  readonly ttl: number | null;
}

/**
 * Returns a line of a zone file. Text without quotes gets them (RFC 1035 s5.1). The comment contains members that zone
 * files do not have. A disabled record becomes a comment, as in an export.
 */
export function toZoneLine(line: Line): string {
  const { name, type, data, priority, ttl, disabled } = line;
  const isText = (type === 'TXT' || type === 'SPF') && !data.startsWith('"');
  const value = isText ? `"${data.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"` : data;
  const text = [name, ttl ?? '', 'IN', type, priority ?? '', value]
    .filter((part) => part !== '')
    .join('\t');
  return `${disabled === true ? '; disabled: ' : ''}${text}${toComment(line)}`;
}
