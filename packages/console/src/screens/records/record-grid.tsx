import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { ListedDomain } from '../../api/queries.js';
import { useMessages } from '../../state/language.js';
import { rowsBetween } from '../../state/lists.js';
import { useIsNarrow } from '../../state/hooks.js';
import { drafts } from './use-collected.js';
import { type GridActions, type GridKeys, handleKey } from './grid-keys.js';
import { MESSAGES } from './messages.js';
import { RecordEditor } from './record-editor.js';
import { RecordRow } from './record-row.js';
import { EMPTY_VALUES, toValues } from './record-text.js';
import styles from './records.module.css';
import type { SortColumn, Sorting } from '../../state/sort-records.js';
import type { ListedRecord } from './use-records.js';

interface RecordGridProps {
  readonly projectId: string;
  readonly domain: ListedDomain;
  readonly records: readonly ListedRecord[];
  /** All records of the domain. Undefined if not all of them are loaded. */
  readonly known: readonly ListedRecord[] | undefined;
  readonly selected: ReadonlySet<string>;
  readonly sorting: Sorting;
  /** Whether records of one name are grouped and the name is shown once. */
  readonly isGrouped: boolean;
  /** Ids of records with a collected change. */
  readonly waiting: ReadonlySet<string>;
  readonly editedId: string | undefined;
  readonly actions: GridActions;
}

const ROW_HEIGHT = 40;
const CARD_HEIGHT = 68;
const COLUMNS: readonly SortColumn[] = ['name', 'type', 'data', 'ttl', 'changed'];

/** Visible records as a grid. A single row can get the focus (WAI-ARIA APG, grid). */
export function RecordGrid({
  projectId,
  domain,
  records,
  known,
  selected,
  sorting,
  isGrouped,
  waiting,
  editedId,
  actions,
}: RecordGridProps) {
  const t = useMessages(MESSAGES);
  const isNarrow = useIsNarrow();
  const scroller = useRef<HTMLDivElement>(null);
  const height = isNarrow ? CARD_HEIGHT : ROW_HEIGHT;
  const rows = useVirtualizer({
    count: records.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    getItemKey: (index) => records[index]?.id ?? index,
    overscan: 10,
  });
  useEffect(() => {
    rows.measure();
  }, [rows, height]);
  const { current, latest, wantsFocus, toggle, activate } = useGridKeys({
    records,
    selected,
    actions,
    scroller,
    scrollTo: rows.scrollToIndex,
  });
  return (
    <div
      ref={scroller}
      role="grid"
      tabIndex={-1}
      aria-label={t.title}
      aria-rowcount={records.length + 1}
      aria-multiselectable="true"
      className={styles['grid']}
      onKeyDown={(event) => {
        if (latest.current !== null) handleKey(event, latest.current);
      }}
    >
      <GridHeader records={records} selected={selected} sorting={sorting} actions={actions} />
      <div role="rowgroup" className={styles['rows']} style={{ blockSize: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const record = records[index];
          if (record === undefined) return null;
          const isEdited = record.id === editedId;
          return isEdited ? (
            <div
              key={record.id}
              ref={rows.measureElement}
              data-index={index}
              role="row"
              aria-rowindex={index + 2}
              className={styles['edited']}
              style={{ transform: `translateY(${start}px)` }}
            >
              <div role="gridcell" aria-colspan={7}>
                <OpenedRecord
                  {...{ projectId, domain }}
                  known={known}
                  record={record}
                  onSave={actions.onSave}
                  onCancel={() => {
                    wantsFocus.current = true;
                    actions.onEdit(undefined);
                  }}
                />
              </div>
            </div>
          ) : (
            <RecordRow
              key={record.id}
              record={record}
              domainName={domain.name}
              domainTtl={domain.ttl}
              index={index}
              top={start}
              isSelected={selected.has(record.id)}
              isActive={index === current}
              isWaiting={waiting.has(record.id)}
              group={
                isGrouped
                  ? records[index - 1]?.name === record.name
                    ? 'rest'
                    : 'first'
                  : undefined
              }
              onToggle={toggle}
              onActivate={activate}
              onEdit={actions.onEdit}
              onDelete={actions.onDelete}
              onSwitch={actions.onToggle}
              onTag={actions.onTag}
            />
          );
        })}
      </div>
    </div>
  );
}

interface GridKeysInput extends Pick<RecordGridProps, 'records' | 'selected' | 'actions'> {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly scrollTo: (index: number) => void;
}

/** Focused row and range selection, by keyboard and by pointer. */
function useGridKeys({ records, selected, actions, scroller, scrollTo }: GridKeysInput) {
  const [active, setActive] = useState(0);
  /** First row of a range selection. */
  const anchor = useRef(0);
  const wantsFocus = useRef(false);
  const current = Math.min(active, records.length - 1);

  useEffect(() => {
    if (!wantsFocus.current) return;
    wantsFocus.current = false;
    scroller.current?.querySelector<HTMLElement>(`[aria-rowindex="${current + 2}"]`)?.focus();
  });

  const latest = useRef<GridKeys>(null);
  latest.current = {
    records,
    selected,
    current,
    anchor: anchor.current,
    actions,
    go: (index, isRange) => {
      const next = Math.max(0, Math.min(index, records.length - 1));
      if (!isRange) anchor.current = next;
      wantsFocus.current = true;
      setActive(next);
      scrollTo(next);
    },
  };
  const toggle = useCallback((index: number, isRange: boolean) => {
    const grid = latest.current;
    if (grid === null) return;
    const ids = new Set(grid.selected);
    const record = grid.records[index];
    if (record === undefined) return;
    if (isRange) {
      for (const { id } of rowsBetween(grid.records, grid.anchor, index)) ids.add(id);
    } else if (!ids.delete(record.id)) ids.add(record.id);
    if (!isRange) anchor.current = index;
    setActive(index);
    grid.actions.onSelect(ids);
  }, []);
  const activate = useCallback((index: number) => {
    anchor.current = index;
    setActive(index);
  }, []);
  return { current, latest, wantsFocus, toggle, activate };
}

type GridHeaderProps = Pick<RecordGridProps, 'records' | 'selected' | 'sorting' | 'actions'>;

function GridHeader({ records, selected, sorting, actions }: GridHeaderProps) {
  const t = useMessages(MESSAGES);
  const isAllSelected = records.length > 0 && records.every(({ id }) => selected.has(id));
  return (
    <div role="row" aria-rowindex={1} className={styles['header']}>
      <span role="columnheader" className={styles['check']}>
        <input
          type="checkbox"
          aria-label={t.selectAll}
          checked={isAllSelected}
          onChange={() => {
            actions.onSelect(isAllSelected ? new Set() : new Set(records.map(({ id }) => id)));
          }}
        />
      </span>
      {COLUMNS.map((column) => (
        <span
          key={column}
          role="columnheader"
          className={styles[column]}
          aria-sort={
            sorting.column === column
              ? sorting.isDescending
                ? 'descending'
                : 'ascending'
              : undefined
          }
        >
          <button
            type="button"
            onClick={() => {
              actions.onSort({
                column,
                isDescending: sorting.column === column && !sorting.isDescending,
              });
            }}
          >
            {t[column]}
          </button>
        </span>
      ))}
      <span role="columnheader" className={styles['buttons']}>
        <span className="visually-hidden">{t.actions}</span>
      </span>
    </div>
  );
}

interface OpenedRecordProps {
  readonly projectId: string;
  readonly domain: ListedDomain;
  readonly record: ListedRecord;
  readonly known: RecordGridProps['known'];
  readonly onSave: GridActions['onSave'];
  readonly onCancel: () => void;
}

/** Keeps the record as it was opened, since other users may have changed it in the list. */
function OpenedRecord({ projectId, domain, record, known, onSave, onCancel }: OpenedRecordProps) {
  const [{ record: opened, draft }] = useState(() => {
    const kept = drafts.readEdited(domain.id);
    return kept?.record.id === record.id
      ? { ...kept, draft: { ...EMPTY_VALUES, ...kept.draft } }
      : { record, draft: toValues(record, domain.name) };
  });
  return (
    <RecordEditor
      {...{ projectId, domain }}
      initial={draft}
      record={opened}
      known={known}
      onSave={async (next) => {
        await onSave(opened, next);
        drafts.keepEdited(domain.id, undefined);
      }}
      onCancel={() => {
        drafts.keepEdited(domain.id, undefined);
        onCancel();
      }}
      onChange={(next) => {
        drafts.keepEdited(domain.id, { record: opened, draft: next });
      }}
    />
  );
}
