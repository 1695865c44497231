import { useCallback, useMemo, useState } from 'react';
import type { ListedDomain } from '../../api/queries.js';
import { useMessages } from '../../state/language.js';
import { SHARED } from '../../state/shared-messages.js';
import { Button } from '../../ui/button.js';
import { toZoneLine } from '../../ui/change-list.js';
import { TextField } from '../../ui/field.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { SelectionBar } from '../../ui/table.js';
import { showToast } from '../../ui/toasts.js';
import { useAction } from '../../ui/use-action.js';
import {
  BatchReview,
  type Change,
  recordCommands,
  toBatches,
  toOperation,
  useBatchReview,
} from './batch-review.js';
import { MESSAGES } from './messages.js';
import { readTags } from './record-text.js';
import type { Collected } from './use-collected.js';
import type { ListedRecord } from './use-records.js';
import type { Writer } from './use-writer.js';

export type BulkKind = 'delete' | 'ttl' | 'replace' | 'tags' | 'off' | 'on';

interface BulkDialogProps {
  readonly projectId: string;
  readonly domain: ListedDomain;
  readonly kind: BulkKind;
  readonly records: readonly ListedRecord[];
  /** Number of records in the domain. */
  readonly total: number;
  readonly writer: Writer;
  readonly collected: Collected;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Share of a domain's records above which the service requires a confirmation. */
const LARGE_PART = 0.3;

/** Previews the effect on each record. */
export function BulkDialog({
  projectId,
  domain,
  kind,
  records,
  total,
  writer,
  collected,
  onClose,
  onDone,
}: BulkDialogProps) {
  const t = useMessages(MESSAGES);
  const shared = useMessages(SHARED);
  const [ttl, setTtl] = useState('3600');
  const [find, setFind] = useState('');
  const [replacement, setReplacement] = useState('');
  const [addedTags, setAddedTags] = useState('');
  const [removedTags, setRemovedTags] = useState('');
  const [typed, setTyped] = useState('');
  const changes = useMemo(
    () => planChanges(kind, records, { ttl, find, replacement, addedTags, removedTags }),
    [kind, records, ttl, find, replacement, addedTags, removedTags],
  );
  const operations = useMemo(() => changes.map(toOperation), [changes]);
  const review = useBatchReview(projectId, domain.id, operations);
  const isRemoval = kind === 'delete' || kind === 'off';
  const mustType = isRemoval && records.length > 1 && records.length > total * LARGE_PART;
  const isConfirmed = !mustType || typed.trim() === String(records.length);
  const perform = useCallback(async () => {
    const text =
      kind === 'delete' ? t.deletedMany(operations.length) : t.changedMany(operations.length);
    if (collected.isOn) collected.add(changes);
    else await writer.write(text, ...toBatches(projectId, domain.id, operations));
    onDone();
    onClose();
  }, [projectId, domain.id, kind, changes, operations, writer, collected, onDone, onClose, t]);
  return (
    <FormDialog
      title={kind === 'delete' ? t.deleteTitle(records.length) : t.reviewTitle(changes.length)}
      width="wide"
      submit={kind === 'delete' ? shared.delete : t.apply}
      isDangerous={kind === 'delete'}
      isReady={isConfirmed && operations.length > 0 && review.refused.length === 0}
      action={useAction(perform)}
      commands={isConfirmed ? recordCommands(domain, changes) : undefined}
      onClose={onClose}
    >
      {kind === 'ttl' && (
        <TextField
          label={t.ttl}
          isMono
          inputMode="numeric"
          hint={t.ttlHint(domain.ttl)}
          value={ttl}
          onChange={(event) => {
            setTtl(event.target.value);
          }}
        />
      )}
      {kind === 'replace' && (
        <>
          <TextField
            label={t.find}
            isMono
            value={find}
            onChange={(event) => {
              setFind(event.target.value);
            }}
          />
          <TextField
            label={t.replaceWith}
            isMono
            value={replacement}
            onChange={(event) => {
              setReplacement(event.target.value);
            }}
          />
        </>
      )}
      {kind === 'tags' && (
        <>
          <TextField
            label={t.addTags}
            hint={t.tagsHint}
            value={addedTags}
            onChange={(event) => {
              setAddedTags(event.target.value);
            }}
          />
          <TextField
            label={t.removeTags}
            hint={t.tagsOf([...new Set(records.flatMap(({ tags = [] }) => tags))].toSorted())}
            value={removedTags}
            onChange={(event) => {
              setRemovedTags(event.target.value);
            }}
          />
        </>
      )}
      <BatchReview review={review} changes={changes} />
      {mustType && (
        <TextField
          label={t.number}
          hint={t.largeText(records.length)}
          inputMode="numeric"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
          }}
        />
      )}
    </FormDialog>
  );
}

interface Wish {
  readonly ttl: string;
  readonly find: string;
  readonly replacement: string;
  readonly addedTags: string;
  readonly removedTags: string;
}

function planChanges(
  kind: BulkKind,
  records: readonly ListedRecord[],
  { ttl, find, replacement, addedTags, removedTags }: Wish,
): readonly Change[] {
  switch (kind) {
    case 'delete':
      return records.map((before) => ({ before, after: undefined }));
    case 'off':
    case 'on':
      return records
        .filter(({ disabled = false }) => disabled !== (kind === 'off'))
        .map((before) => ({ before, after: { ...before, disabled: kind === 'off' } }));
    case 'ttl': {
      const wanted = ttl.trim() === '' ? null : Number(ttl);
      return records
        .filter((before) => before.ttl !== wanted)
        .map((before) => ({ before, after: { ...before, ttl: wanted } }));
    }
    case 'tags': {
      const added = readTags(addedTags);
      const removed = new Set(readTags(removedTags));
      return records.flatMap((before) => {
        const { tags = [] } = before;
        const after = [...new Set([...tags, ...added])].filter((tag) => !removed.has(tag));
        const isSame = after.length === tags.length && after.every((tag) => tags.includes(tag));
        return isSame ? [] : [{ before, after: { ...before, tags: after } }];
      });
    }
    case 'replace':
      return find === ''
        ? []
        : records
            .filter(({ data }) => data.includes(find))
            .map((before) => ({
              before,
              after: { ...before, data: before.data.replaceAll(find, replacement) },
            }));
  }
}

interface BulkBarProps {
  readonly records: readonly ListedRecord[];
  readonly onBulk: (kind: BulkKind) => void;
  readonly onClear: () => void;
}

/** Actions for all selected records. */
export function BulkBar({ records, onBulk, onClear }: BulkBarProps) {
  const t = useMessages(MESSAGES);
  return (
    <SelectionBar text={t.selected(records.length)}>
      <Button
        icon="clock"
        onClick={() => {
          onBulk('ttl');
        }}
      >
        {t.setTtl}
      </Button>
      <Button
        icon="edit"
        onClick={() => {
          onBulk('replace');
        }}
      >
        {t.replace}
      </Button>
      <Button
        icon="tag"
        onClick={() => {
          onBulk('tags');
        }}
      >
        {t.changeTags}
      </Button>
      <Button
        icon="power"
        onClick={() => {
          onBulk(records.some(({ disabled }) => disabled !== true) ? 'off' : 'on');
        }}
      >
        {records.some(({ disabled }) => disabled !== true) ? t.switchOffMany : t.switchOnMany}
      </Button>
      <Button
        icon="copy"
        onClick={() => {
          const text = `${records.map(toZoneLine).join('\n')}\n`;
          void navigator.clipboard.writeText(text).then(() => {
            showToast({ text: t.copied(records.length) });
          });
        }}
      >
        {t.copyZone}
      </Button>
      <Button
        kind="danger"
        icon="trash"
        onClick={() => {
          onBulk('delete');
        }}
      >
        {t.deleteMany}
      </Button>
      <Button kind="quiet" onClick={onClear}>
        {t.clear}
      </Button>
    </SelectionBar>
  );
}
