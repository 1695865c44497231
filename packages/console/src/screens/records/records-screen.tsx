import {
  type ClipboardEvent,
  type DragEvent,
  useCallback,
  useDeferredValue,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { useMessages } from '../../state/language.js';
import { paths } from '../../state/paths.js';
import { PublishMeter } from '../../shell/publish-meter.js';
import type { DomainScreenProps } from '../../shell/screen-props.js';
import { useStore } from '../../state/store.js';
import { useOpenParameter } from '../../state/hooks.js';
import { RetryBanner } from '../../ui/banner.js';
import { readFiles } from '../../ui/field.js';
import { Page } from '../../ui/page.js';
import { BulkBar } from './bulk-dialog.js';
import type { BulkKind } from './bulk-dialog.js';
import { CollectedBar } from './collected-bar.js';
import { drafts } from './use-collected.js';
import { MESSAGES } from './messages.js';
import { RecordGrid } from './record-grid.js';
import type { RecordValues } from './record-text.js';
import styles from './records.module.css';
import {
  Count,
  groupedStore,
  NewRecord,
  NoRecords,
  NotLoaded,
  RecordTools,
  ScreenActions,
  ScreenDialogs,
} from './screen-parts.js';
import { sortRecords, type Sorting } from '../../state/sort-records.js';
import { useCollected } from './use-collected.js';
import { useConflict } from './conflict-dialog.js';
import { useRecordChanges } from './use-record-changes.js';
import { type ListedRecord, useRecords } from './use-records.js';
import { useWriter } from './use-writer.js';

const NOTHING: ReadonlySet<string> = new Set();
const BY_NAME: Sorting = { column: 'name', isDescending: false };

/** Handlers that import what is pasted or dropped anywhere on the screen, except into a field. */
function importHandlers(onText: (text: string) => void) {
  return {
    onPaste: (event: ClipboardEvent) => {
      if (isTyping(event.target)) return;
      event.preventDefault();
      onText(event.clipboardData.getData('text/plain'));
    },
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
    },
    onDrop: (event: DragEvent) => {
      if (isTyping(event.target)) return;
      event.preventDefault();
      void readFiles(event.dataTransfer.files).then(([file]) => {
        if (file !== undefined) onText(file.text);
      });
    },
  };
}

export function RecordsScreen({ projectId, domain }: DomainScreenProps) {
  const t = useMessages(MESSAGES);
  const [, navigate] = useLocation();
  const [search, setSearch] = useSearchParams();
  const q = search.get('q') ?? '';
  const wanted = useDeferredValue(q.trim().toLowerCase());
  const { records, total, error, refetch, isFound } = useRecords(projectId, domain, wanted);
  const [sorting, setSorting] = useState(BY_NAME);
  const isGrouped = useStore(groupedStore) === 'yes';
  const [selected, setSelected] = useState(NOTHING);
  const [isAdding, setIsAdding] = useState(() => drafts.readNew(domain.id) !== undefined);
  const startNew = useCallback(() => {
    setIsAdding(true);
  }, []);
  useOpenParameter(startNew);
  const [editedId, setEditedId] = useState(() => drafts.readEdited(domain.id)?.record.id);
  const [pasted, setPasted] = useState<string>();
  const [bulk, setBulk] = useState<BulkKind>();
  const [isHelping, setIsHelping] = useState(false);
  const filter = useRef<HTMLInputElement>(null);
  const writer = useWriter(projectId, domain);
  const conflict = useConflict(projectId, domain, writer);

  const { shown, chosen } = useShown({ records, sorting, isGrouped, isFound, wanted, selected });
  const collected = useCollected(domain.id);
  const changes = useRecordChanges(projectId, domain, { writer, conflict, collected });
  const known = wholeOf(records, isFound ? undefined : total);
  const save = useCallback(
    async (record: ListedRecord, draft: RecordValues) => {
      await changes.save(record, draft);
      setEditedId(undefined);
    },
    [changes],
  );

  const retry = useCallback(() => void refetch(), [refetch]);
  if (records === undefined) return <NotLoaded error={error} onRetry={retry} />;
  const all = total ?? records.length;
  const clearSelection = () => {
    setSelected(NOTHING);
  };
  const openHelp = () => {
    setIsHelping(true);
  };
  const openHistory = (record: ListedRecord) => {
    navigate(`${paths.history(projectId, domain.name)}?record=${record.id}`);
  };
  return (
    <div className={styles['screen']} {...importHandlers(setPasted)}>
      <Page
        title={t.title}
        tabTitle={domain.name.replace(/\.$/, '')}
        level={2}
        actions={
          <ScreenActions
            isCollecting={collected.isOn}
            onHelp={openHelp}
            onCollect={collected.toggle}
            onImport={() => {
              setPasted('');
            }}
            onNew={startNew}
          />
        }
      >
        {isAdding && (
          <NewRecord
            {...{ projectId, domain }}
            known={known}
            onAdd={changes.add}
            onClose={() => {
              setIsAdding(false);
            }}
          />
        )}
        {error !== null && <RetryBanner error={error} onRetry={retry} />}
        <RecordTools
          filter={filter}
          q={q}
          onFilter={(text) => {
            setSearch(text === '' ? {} : { q: text }, { replace: true });
          }}
        >
          <PublishMeter
            projectId={projectId}
            domainId={domain.id}
            serial={writer.serial ?? domain.serial}
          />
        </RecordTools>
        {collected.changes.length > 0 && (
          <CollectedBar {...{ projectId, domain, collected, writer }} />
        )}
        {chosen.length > 0 && (
          <BulkBar records={chosen} onBulk={setBulk} onClear={clearSelection} />
        )}
        {shown.length === 0 ? (
          <NoRecords
            isEmpty={records.length === 0 && wanted === ''}
            onNew={isAdding ? undefined : startNew}
          />
        ) : (
          <RecordGrid
            {...{ projectId, domain, known, selected, sorting, isGrouped, editedId }}
            records={shown}
            waiting={collected.waiting}
            actions={{
              onSelect: setSelected,
              onSort: setSorting,
              onEdit: setEditedId,
              onSave: save,
              onDelete: (record) => {
                if (selected.has(record.id) && selected.size > 1) setBulk('delete');
                else void changes.remove(record);
              },
              onToggle: (record) => void changes.toggle(record),
              onTag: (tag) => {
                setSearch({ q: tag }, { replace: true });
              },
              onHistory: openHistory,
              onNew: startNew,
              onUndo: () => void writer.undo(),
              onFilter: () => filter.current?.focus(),
              onHelp: openHelp,
            }}
          />
        )}
        <Count {...{ wanted, isFound, all }} shown={shown.length} />
      </Page>
      <ScreenDialogs
        {...{ projectId, domain, writer, collected, conflict, pasted, bulk, isHelping }}
        records={chosen}
        total={all}
        onClose={() => {
          setPasted(undefined);
          setBulk(undefined);
          setIsHelping(false);
        }}
        onDone={clearSelection}
      />
    </div>
  );
}

interface ShownInput {
  readonly records: readonly ListedRecord[] | undefined;
  readonly sorting: Sorting;
  readonly isGrouped: boolean;
  readonly isFound: boolean;
  readonly wanted: string;
  readonly selected: ReadonlySet<string>;
}

/** Returns the visible records in order, and the selected ones. */
function useShown({ records, sorting, isGrouped, isFound, wanted, selected }: ShownInput) {
  // The records are sorted once, since a filter does not change the order.
  const sorted = useMemo(
    () => sortRecords(records ?? [], sorting, isGrouped),
    [records, sorting, isGrouped],
  );
  const shown = useMemo(
    () => (isFound ? sorted : filterRecords(sorted, wanted)),
    [sorted, wanted, isFound],
  );
  const chosen = useMemo(
    () => (records ?? []).filter(({ id }) => selected.has(id)),
    [records, selected],
  );
  return { shown, chosen };
}

/** Returns the records if all of them are loaded. */
function wholeOf<T>(records: readonly T[] | undefined, total = Number.POSITIVE_INFINITY) {
  return records === undefined || records.length < total ? undefined : records;
}

function filterRecords(records: readonly ListedRecord[], wanted: string): readonly ListedRecord[] {
  if (wanted === '') return records;
  return records.filter(
    ({ name, type, data, description, tags }) =>
      name.includes(wanted) ||
      data.toLowerCase().includes(wanted) ||
      type.toLowerCase() === wanted ||
      description?.toLowerCase().includes(wanted) === true ||
      tags?.some((tag) => tag.toLowerCase().includes(wanted)) === true,
  );
}

function isTyping(target: EventTarget): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('input:not([type=checkbox]), textarea, select, dialog') !== null
  );
}
