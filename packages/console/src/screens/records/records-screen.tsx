import { useCallback, useDeferredValue, useMemo, useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { useMessages } from '../../messages/language.js';
import { paths } from '../../paths/paths.js';
import { PublishMeter } from '../../publication/publish-meter.js';
import type { DomainScreenProps } from '../../shell/screen-props.js';
import { createPersistentStore, useStore } from '../../state/store.js';
import { useOpenParameter } from '../../state/use-open-parameter.js';
import { Button } from '../../ui/button.js';
import { FailureBanner, isPassing, RetryBanner } from '../../ui/failure.js';
import { EmptyState, Page } from '../../ui/page.js';
import { Loading } from '../../ui/query-view.js';
import { SearchBox } from '../../ui/search-box.js';
import { BulkBar } from './bulk-bar.js';
import { BulkDialog, type BulkKind } from './bulk-dialog.js';
import { ConflictDialog } from './conflict-dialog.js';
import { ImportDialog } from './import-dialog.js';
import { CollectedBar } from './collected-bar.js';
import { drafts } from './drafts.js';
import { MESSAGES } from './messages.js';
import { planNew } from './plan-new.js';
import { RecordEditor } from './record-editor.js';
import { RecordGrid } from './record-grid.js';
import { EMPTY_VALUES, type RecordValues } from './record-text.js';
import styles from './records.module.css';
import { ShortcutsDialog } from './shortcuts-dialog.js';
import { sortRecords, type Sorting } from './sort-records.js';
import { useCollected } from './use-collected.js';
import { useConflict } from './use-conflict.js';
import { useRecordChanges } from './use-record-changes.js';
import { type ListedRecord, MOST_RECORDS, useRecords } from './use-records.js';
import { useWriter } from './use-writer.js';

const NOTHING: ReadonlySet<string> = new Set();
/** A habit of whoever looks, in all domains. */
const groupedStore = createPersistentStore('zonewright.grouped', 'no', ['no', 'yes']);
const BY_NAME: Sorting = { column: 'name', isDescending: false };

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

  // Sorted once: a filter leaves the order as it is.
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

  const collected = useCollected(domain.id);
  const changes = useRecordChanges(projectId, domain, { writer, conflict, collected });
  const known = wholeOf(records, isFound ? undefined : total);
  const add = useCallback(
    async (draft: RecordValues) => {
      await changes.add(planNew(draft, domain, known ?? []));
      drafts.keepNew(domain.id, undefined);
      setIsAdding(false);
    },
    [changes, domain, known],
  );
  const save = useCallback(
    async (record: ListedRecord, draft: RecordValues) => {
      await changes.save(record, draft);
      setEditedId(undefined);
    },
    [changes],
  );

  const retry = useCallback(() => void refetch(), [refetch]);
  if (records === undefined) {
    if (error === null) return <Loading />;
    return isPassing(error) ? (
      <RetryBanner error={error} onRetry={retry} />
    ) : (
      <FailureBanner error={error} />
    );
  }
  const all = total ?? records.length;
  const openHistory = (record: ListedRecord) => {
    navigate(`${paths.history(projectId, domain.name)}?record=${record.id}`);
  };
  return (
    <div
      className={styles['screen']}
      onPaste={(event) => {
        if (isTyping(event.target)) return;
        event.preventDefault();
        setPasted(event.clipboardData.getData('text/plain'));
      }}
    >
      <Page
        title={t.title}
        tabTitle={domain.name.replace(/\.$/, '')}
        level={2}
        actions={
          <>
            <Button
              kind="quiet"
              className={styles['shortcuts']}
              onClick={() => {
                setIsHelping(true);
              }}
            >
              {t.shortcuts}
            </Button>
            <Button aria-pressed={collected.isOn} title={t.collectText} onClick={collected.toggle}>
              {t.collect}
            </Button>
            <Button
              icon="upload"
              onClick={() => {
                setPasted('');
              }}
            >
              {t.paste}
            </Button>
            <Button kind="primary" icon="plus" onClick={startNew}>
              {t.newRecord}
            </Button>
          </>
        }
      >
        {isAdding && (
          <RecordEditor
            domain={domain}
            initial={{ ...EMPTY_VALUES, ...drafts.readNew(domain.id) }}
            known={known}
            onSave={add}
            onCancel={() => {
              drafts.keepNew(domain.id, undefined);
              setIsAdding(false);
            }}
            onChange={(draft) => {
              drafts.keepNew(domain.id, draft);
            }}
          />
        )}
        {error !== null && <RetryBanner error={error} onRetry={retry} />}
        <div className={styles['tools']}>
          <SearchBox
            ref={filter}
            label={t.filter}
            value={q}
            onChange={(text) => {
              setSearch(text === '' ? {} : { q: text }, { replace: true });
            }}
          />
          <Button
            aria-pressed={isGrouped}
            onClick={() => {
              groupedStore.set(isGrouped ? 'no' : 'yes');
            }}
          >
            {t.group}
          </Button>
          <PublishMeter
            projectId={projectId}
            domainId={domain.id}
            serial={writer.serial ?? domain.serial}
          />
        </div>
        {collected.changes.length > 0 && (
          <CollectedBar
            projectId={projectId}
            domain={domain}
            collected={collected}
            writer={writer}
          />
        )}
        {chosen.length > 0 && (
          <BulkBar
            records={chosen}
            onBulk={setBulk}
            onClear={() => {
              setSelected(NOTHING);
            }}
          />
        )}
        {shown.length === 0 ? (
          <NoRecords
            isEmpty={records.length === 0 && wanted === ''}
            onNew={isAdding ? undefined : startNew}
          />
        ) : (
          <RecordGrid
            domain={domain}
            records={shown}
            known={known}
            selected={selected}
            sorting={sorting}
            isGrouped={isGrouped}
            waiting={collected.waiting}
            editedId={editedId}
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
              onHelp: () => {
                setIsHelping(true);
              },
            }}
          />
        )}
        <p className={styles['count']} role="status">
          {wanted === '' ? t.total(all) : t.shown(shown.length, all)}
          {all > MOST_RECORDS && !isFound && <> {t.more(MOST_RECORDS)}</>}
        </p>
      </Page>
      {pasted !== undefined && (
        <ImportDialog
          projectId={projectId}
          domain={domain}
          initial={pasted}
          writer={writer}
          onClose={() => {
            setPasted(undefined);
          }}
        />
      )}
      {bulk !== undefined && (
        <BulkDialog
          projectId={projectId}
          domain={domain}
          kind={bulk}
          records={chosen}
          total={all}
          writer={writer}
          collected={collected}
          onClose={() => {
            setBulk(undefined);
          }}
          onDone={() => {
            setSelected(NOTHING);
          }}
        />
      )}
      {conflict.current !== undefined && (
        <ConflictDialog
          domain={domain}
          conflict={conflict.current}
          onClose={conflict.clear}
          onSave={conflict.resolve}
        />
      )}
      {isHelping && (
        <ShortcutsDialog
          onClose={() => {
            setIsHelping(false);
          }}
        />
      )}
    </div>
  );
}

/** Undefined: they are not all here. */
function wholeOf<T>(records: readonly T[] | undefined, total = Number.POSITIVE_INFINITY) {
  return records === undefined || records.length < total ? undefined : records;
}

interface NoRecordsProps {
  readonly isEmpty: boolean;
  /** Undefined: one is being made. */
  readonly onNew: (() => void) | undefined;
}

function NoRecords({ isEmpty, onNew }: NoRecordsProps) {
  const t = useMessages(MESSAGES);
  if (!isEmpty) return <EmptyState title={t.noneFound} />;
  const action = onNew !== undefined && (
    <Button kind="primary" icon="plus" onClick={onNew}>
      {t.newRecord}
    </Button>
  );
  return (
    <EmptyState title={t.none} action={action}>
      {t.noneText}
    </EmptyState>
  );
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
