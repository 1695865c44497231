import { count, defineMessages, useMessages } from '../messages/language.js';
import styles from './change-list.module.css';
import { type Line, toZoneLine } from './zone-line.js';

const MESSAGES = defineMessages({
  en: { more: (number: number) => `and ${count(number, 'more line', 'more lines')}` },
  de: { more: (number: number) => `und ${count(number, 'weitere Zeile', 'weitere Zeilen')}` },
});

interface ChangeListProps {
  /** For those who hear it. */
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
