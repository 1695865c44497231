import type { ReactNode, RefObject } from 'react';
import type { ListedDomain } from '../../api/queries.js';
import type { DomainScreenProps } from '../../shell/screen-props.js';
import { useMessages } from '../../state/language.js';
import { createPersistentStore, useStore } from '../../state/store.js';
import { FailureBanner, isPassing, RetryBanner } from '../../ui/banner.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { SearchBox } from '../../ui/field.js';
import { EmptyState } from '../../ui/page.js';
import { Loading } from '../../ui/query-view.js';
import { BulkDialog, type BulkKind } from './bulk-dialog.js';
import { ConflictDialog, type useConflict } from './conflict-dialog.js';
import { ImportDialog } from './import-dialog.js';
import { MESSAGES } from './messages.js';
import { planNew } from './plan-new.js';
import { RecordEditor } from './record-editor.js';
import { EMPTY_VALUES } from './record-text.js';
import { drafts, type useCollected } from './use-collected.js';
import { type ListedRecord, MOST_RECORDS } from './use-records.js';
import type { useWriter } from './use-writer.js';
import styles from './records.module.css';

/** Setting for all domains in this browser. */
export const groupedStore = createPersistentStore('zonewright.grouped', 'no', ['no', 'yes']);

interface ScreenActionsProps {
  readonly isCollecting: boolean;
  readonly onHelp: () => void;
  readonly onCollect: () => void;
  readonly onImport: () => void;
  readonly onNew: () => void;
}

export function ScreenActions({
  isCollecting,
  onHelp,
  onCollect,
  onImport,
  onNew,
}: ScreenActionsProps) {
  const t = useMessages(MESSAGES);
  return (
    <>
      <Button kind="quiet" className={styles['shortcuts']} onClick={onHelp}>
        {t.shortcuts}
      </Button>
      <Button aria-pressed={isCollecting} title={t.collectText} onClick={onCollect}>
        {t.collect}
      </Button>
      <Button icon="upload" onClick={onImport}>
        {t.paste}
      </Button>
      <Button kind="primary" icon="plus" onClick={onNew}>
        {t.newRecord}
      </Button>
    </>
  );
}

interface RecordToolsProps {
  readonly filter: RefObject<HTMLInputElement | null>;
  readonly q: string;
  readonly onFilter: (text: string) => void;
  readonly children: ReactNode;
}

/** Filter, grouping, and other controls above the list. */
export function RecordTools({ filter, q, onFilter, children }: RecordToolsProps) {
  const t = useMessages(MESSAGES);
  const isGrouped = useStore(groupedStore) === 'yes';
  return (
    <div className={styles['tools']}>
      <SearchBox ref={filter} label={t.filter} value={q} onChange={onFilter} />
      <Button
        aria-pressed={isGrouped}
        onClick={() => {
          groupedStore.set(isGrouped ? 'no' : 'yes');
        }}
      >
        {t.group}
      </Button>
      {children}
    </div>
  );
}

interface ScreenDialogsProps extends DomainScreenProps {
  readonly writer: ReturnType<typeof useWriter>;
  readonly collected: ReturnType<typeof useCollected>;
  readonly conflict: ReturnType<typeof useConflict>;
  /** Text to import. Undefined if the dialog is closed. */
  readonly pasted: string | undefined;
  readonly bulk: BulkKind | undefined;
  readonly isHelping: boolean;
  /** Selected records. */
  readonly records: readonly ListedRecord[];
  readonly total: number;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function ScreenDialogs({
  projectId,
  domain,
  writer,
  collected,
  conflict,
  pasted,
  bulk,
  isHelping,
  records,
  total,
  onClose,
  onDone,
}: ScreenDialogsProps) {
  return (
    <>
      {pasted !== undefined && (
        <ImportDialog
          projectId={projectId}
          domain={domain}
          initial={pasted}
          writer={writer}
          onClose={onClose}
        />
      )}
      {bulk !== undefined && (
        <BulkDialog
          projectId={projectId}
          domain={domain}
          kind={bulk}
          records={records}
          total={total}
          writer={writer}
          collected={collected}
          onClose={onClose}
          onDone={onDone}
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
      {isHelping && <ShortcutsDialog onClose={onClose} />}
    </>
  );
}

interface NoRecordsProps {
  readonly isEmpty: boolean;
  /** Undefined while the editor of a new record is open. */
  readonly onNew: (() => void) | undefined;
}

export function NoRecords({ isEmpty, onNew }: NoRecordsProps) {
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

interface NewRecordProps {
  readonly projectId: string;
  readonly domain: ListedDomain;
  readonly known: readonly ListedRecord[] | undefined;
  readonly onAdd: (changes: ReturnType<typeof planNew>) => Promise<void>;
  readonly onClose: () => void;
}

/** Editor of a new record. Its input is saved, so that a reload does not lose it. */
export function NewRecord({ projectId, domain, known, onAdd, onClose }: NewRecordProps) {
  const close = () => {
    drafts.keepNew(domain.id, undefined);
    onClose();
  };
  return (
    <RecordEditor
      {...{ projectId, domain }}
      initial={{ ...EMPTY_VALUES, ...drafts.readNew(domain.id) }}
      known={known}
      onSave={async (draft) => {
        await onAdd(planNew(draft, domain, known ?? []));
        close();
      }}
      onCancel={close}
      onChange={(draft) => {
        drafts.keepNew(domain.id, draft);
      }}
    />
  );
}

interface NotLoadedProps {
  readonly error: Error | null;
  readonly onRetry: () => void;
}

export function NotLoaded({ error, onRetry }: NotLoadedProps) {
  if (error === null) return <Loading />;
  return isPassing(error) ? (
    <RetryBanner error={error} onRetry={onRetry} />
  ) : (
    <FailureBanner error={error} />
  );
}

interface CountProps {
  readonly wanted: string;
  readonly isFound: boolean;
  readonly shown: number;
  readonly all: number;
}

/** Number of records, and a hint if only the first ones are loaded. */
export function Count({ wanted, isFound, shown, all }: CountProps) {
  const t = useMessages(MESSAGES);
  return (
    <p className={styles['count']} role="status">
      {wanted === '' ? t.total(all) : t.shown(shown, all)}
      {all > MOST_RECORDS && !isFound && <> {t.more(MOST_RECORDS)}</>}
    </p>
  );
}

function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useMessages(MESSAGES);
  return (
    <Dialog title={t.shortcuts} onClose={onClose}>
      <dl className={styles['keys']}>
        {t.keys.map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
