import { memo } from 'react';
import { formatTime, readTime, useMessages } from '../../state/language.js';
import { Icon } from '../../ui/icon.js';
import { Countdown, RelativeTime } from '../../ui/relative-time.js';
import { MESSAGES } from './messages.js';
import { describeRecord, relativeName, displayName } from './record-text.js';
import styles from './records.module.css';
import type { ListedRecord } from './use-records.js';

/** Maximum number of tags shown. The editor shows all. */
const SHOWN_TAGS = 2;

interface RecordRowProps {
  readonly record: ListedRecord;
  readonly domainName: string;
  readonly domainTtl: number;
  readonly index: number;
  readonly top: number;
  readonly isSelected: boolean;
  readonly isActive: boolean;
  /** Whether a change of the record has been collected and not saved. */
  readonly isWaiting: boolean;
  /** Position in a group of records with the same name. Undefined if the list is not grouped. */
  readonly group: 'first' | 'rest' | undefined;
  readonly onToggle: (index: number, isRange: boolean) => void;
  readonly onActivate: (index: number) => void;
  readonly onEdit: (id: string) => void;
  readonly onDelete: (record: ListedRecord) => void;
  readonly onSwitch: (record: ListedRecord) => void;
  readonly onTag: (tag: string) => void;
}

/**
 * Row with plain values and stable functions as properties, so that a key or a click renders one or two rows, not all.
 */
export const RecordRow = memo(function RecordRow(props: RecordRowProps) {
  const {
    record,
    domainName,
    domainTtl,
    index,
    top,
    isSelected,
    isActive,
    isWaiting,
    group,
    onToggle,
    onActivate,
    onEdit,
    onDelete,
    onSwitch,
    onTag,
  } = props;
  const t = useMessages(MESSAGES);
  const what = describeRecord(record, domainName);
  const { name, type, data, priority, ttl, effective_ttl: answered, description } = record;
  const { disabled: isOff = false, expires_at: end = null, tags = [] } = record;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      tabIndex={isActive ? 0 : -1}
      className={[
        styles['row'],
        isOff && styles['off'],
        group === 'first' && styles['first'],
        group === 'rest' && styles['rest'],
      ]
        .filter(Boolean)
        .join(' ')}
      style={{ transform: `translateY(${top}px)` }}
      onFocus={(event) => {
        if (event.target === event.currentTarget && !isActive) onActivate(index);
      }}
      onDoubleClick={() => {
        onEdit(record.id);
      }}
    >
      <span role="gridcell" className={styles['check']}>
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={t.selectOne(what)}
          checked={isSelected}
          onClick={(event) => {
            onToggle(index, event.shiftKey);
          }}
          onChange={() => undefined}
        />
      </span>
      <span role="rowheader" className={styles['name']} title={displayName(name)}>
        <span aria-hidden="true">{relativeName(name, domainName)}</span>
        <span className="visually-hidden">{displayName(name)}</span>
        {isWaiting && (
          <span className={styles['waits']} role="img" aria-label={t.waits} title={t.waits} />
        )}
      </span>
      <span role="gridcell" className={styles['type']}>
        <span className={styles['badge']}>{type}</span>
      </span>
      <span role="gridcell" className={styles['data']} title={data}>
        {priority !== null && <span className={styles['priority']}>{priority}</span>}
        <span className={styles['value']}>{data}</span>
        <span className={styles['notes']}>
          {isOff && <span className={styles['state']}>{t.off}</span>}
          {end !== null && (
            <span className={styles['state']} title={t.endsAt(formatTime(readTime(end)))}>
              <Icon name="clock" size={12} /> <Countdown until={end} />
            </span>
          )}
          {tags.slice(0, SHOWN_TAGS).map((tag) => (
            <button
              key={tag}
              type="button"
              tabIndex={-1}
              className={styles['tag']}
              title={t.onlyTag(tag)}
              onClick={() => {
                onTag(tag);
              }}
            >
              {tag}
            </button>
          ))}
          {tags.length > SHOWN_TAGS && (
            <span className={styles['state']} title={tags.join(', ')}>
              +{tags.length - SHOWN_TAGS}
            </span>
          )}
          {description !== null && <span className={styles['note']}>{description}</span>}
        </span>
      </span>
      <span
        role="gridcell"
        className={styles['ttl']}
        title={
          answered !== undefined && answered !== (ttl ?? domainTtl)
            ? t.ttlAnswered(answered)
            : undefined
        }
      >
        {ttl ?? <span className={styles['muted']}>{t.ttlOfDomain(domainTtl)}</span>}
      </span>
      <span role="gridcell" className={styles['changed']}>
        <RelativeTime at={record.updated_at ?? record.created_at} />
      </span>
      <span role="gridcell" className={styles['buttons']}>
        <button
          type="button"
          tabIndex={-1}
          aria-label={t.edit(what)}
          title={t.edit(what)}
          onClick={() => {
            onEdit(record.id);
          }}
        >
          <Icon name="edit" />
        </button>
        <button
          type="button"
          tabIndex={-1}
          aria-label={isOff ? t.switchOn(what) : t.switchOff(what)}
          title={isOff ? t.switchOn(what) : t.switchOff(what)}
          onClick={() => {
            onSwitch(record);
          }}
        >
          <Icon name="power" />
        </button>
        <button
          type="button"
          tabIndex={-1}
          aria-label={t.delete(what)}
          title={t.delete(what)}
          onClick={() => {
            onDelete(record);
          }}
        >
          <Icon name="trash" />
        </button>
      </span>
    </div>
  );
});
