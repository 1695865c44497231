import { pairChanges } from '@zonewright/client';
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
  const shown = pairChanges({ create: created, update: updated, delete: deleted });
  const lines = [
    ...shown.delete.map((record) => ['−', toZoneLine(record)] as const),
    ...shown.update.map(({ before, after }) => ['~', toChangedLine(before, after)] as const),
    ...shown.create.map((record) => ['+', toZoneLine(record)] as const),
  ];
  return (
    <div className={styles['changes']}>
      <ul tabIndex={0} aria-label={title}>
        {lines.slice(0, MOST_LINES).map(([mark, line], index) => (
          <li key={`${index} ${line}`} className={styles[CLASSES[mark]]}>
            {`${mark} ${line.replaceAll('\t', '  ')}`}
          </li>
        ))}
        {lines.length > MOST_LINES && (
          <li className={styles['more']}>{t.more(lines.length - MOST_LINES)}</li>
        )}
      </ul>
    </div>
  );
}

const CLASSES = { '+': 'plus', '−': 'minus', '~': 'changed' } as const;

/** Returns the line of a changed record with `old → new` for each part that differs. */
function toChangedLine(before: Line, after: Line): string {
  const [old, now] = [partsOf(before), partsOf(after)];
  const comments = [toComment(before), toComment(after)].map((each) => each.trim());
  return [...now.map((part, at) => [old[at] ?? '', part]), comments]
    .filter((pair) => pair.some((part) => part !== ''))
    .map(([one = '', other = '']) => (one === other ? one : `${one || '–'} → ${other || '–'}`))
    .join('\t');
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
  return `${partsOf(line)
    .filter((part) => part !== '')
    .join('\t')}${toComment(line)}`;
}

function partsOf({ name, type, data, priority, ttl, disabled }: Line): string[] {
  const isText = (type === 'TXT' || type === 'SPF') && !data.startsWith('"');
  const value = isText ? `"${data.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"` : data;
  const start = `${disabled === true ? '; disabled: ' : ''}${name}`;
  return [start, String(ttl ?? ''), 'IN', type, String(priority ?? ''), value];
}
