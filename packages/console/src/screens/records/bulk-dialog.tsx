import { useQuery } from '@tanstack/react-query';
import type { Answer, RecordOperation } from '@zonewright/client';
import { useCallback, useDeferredValue, useMemo, useState } from 'react';
import { clientOf } from '../../api/client.js';
import { keys, type ListedDomain } from '../../api/queries.js';
import { ChangeList } from '../../change-list/change-list.js';
import { useMessages } from '../../messages/language.js';
import { SHARED } from '../../messages/shared.js';
import { FailureBanner } from '../../ui/failure.js';
import { TextField } from '../../ui/field.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { useAction } from '../../ui/use-action.js';
import { MESSAGES } from './messages.js';
import type { ListedRecord } from './use-records.js';
import type { Writer } from './use-writer.js';

export type BulkKind = 'delete' | 'ttl' | 'replace';

interface BulkDialogProps {
  readonly projectId: string;
  readonly domain: ListedDomain;
  readonly kind: BulkKind;
  readonly records: readonly ListedRecord[];
  /** Of the domain. */
  readonly total: number;
  readonly writer: Writer;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** A batch has so many operations at most. */
const BATCH_SIZE = 1000;
/** What the service wants to have confirmed. */
const LARGE_PART = 0.3;

interface Change {
  readonly before: ListedRecord;
  /** Undefined: deleted. */
  readonly after: ListedRecord | undefined;
}

/** Says what will happen to each record, as the service sees it, before it does. */
export function BulkDialog({
  projectId,
  domain,
  kind,
  records,
  total,
  writer,
  onClose,
  onDone,
}: BulkDialogProps) {
  const t = useMessages(MESSAGES);
  const shared = useMessages(SHARED);
  const [ttl, setTtl] = useState('3600');
  const [find, setFind] = useState('');
  const [replacement, setReplacement] = useState('');
  const [typed, setTyped] = useState('');
  const changes = useMemo(
    () => planChanges(kind, records, { ttl, find, replacement }),
    [kind, records, ttl, find, replacement],
  );
  const operations = useMemo(() => changes.map(toOperation), [changes]);
  const asked = useDeferredValue(operations);
  const preview = useQuery({
    queryKey: [...keys.project(projectId), 'preview', domain.id, asked],
    queryFn: async ({ signal }) =>
      (
        await clientOf(projectId)
          .records(domain.id)
          .change(asked.slice(0, BATCH_SIZE), { dryRun: true, confirm: true, signal })
      ).value,
    enabled: asked.length > 0,
    gcTime: 0,
  });
  const mustType = kind === 'delete' && records.length > 1 && records.length > total * LARGE_PART;
  const isConfirmed = !mustType || typed.trim() === String(records.length);
  const perform = useCallback(async () => {
    const text =
      kind === 'delete' ? t.deletedMany(operations.length) : t.changedMany(operations.length);
    for (let from = 0; from < operations.length; from += BATCH_SIZE) {
      const part = operations.slice(from, from + BATCH_SIZE);
      const change = (): Promise<Answer<unknown>> =>
        clientOf(projectId).records(domain.id).change(part, { confirm: true });
      await writer.write(text, change);
    }
    onDone();
    onClose();
  }, [projectId, domain.id, kind, operations, writer, onDone, onClose, t]);
  const refused = preview.data?.results.flatMap(({ errors }) => errors) ?? [];
  return (
    <FormDialog
      title={kind === 'delete' ? t.deleteTitle(records.length) : t.reviewTitle(changes.length)}
      width="wide"
      submit={kind === 'delete' ? shared.delete : t.apply}
      isDangerous={kind === 'delete'}
      isReady={isConfirmed && operations.length > 0 && refused.length === 0}
      action={useAction(perform)}
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
      {preview.error !== null && <FailureBanner error={preview.error} />}
      {refused.length > 0 && (
        <FailureBanner
          error={
            new Error(
              refused
                .slice(0, 3)
                .map(({ message }) => message)
                .join(' '),
            )
          }
        />
      )}
      {changes.length === 0 ? (
        <p>{t.nothingChanges}</p>
      ) : (
        <ChangeList
          title={t.review}
          created={[]}
          updated={changes.flatMap(({ before, after }) =>
            after === undefined ? [] : [{ before, after }],
          )}
          deleted={changes.flatMap(({ before, after }) => (after === undefined ? [before] : []))}
        />
      )}
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
}

function planChanges(
  kind: BulkKind,
  records: readonly ListedRecord[],
  { ttl, find, replacement }: Wish,
): readonly Change[] {
  switch (kind) {
    case 'delete':
      return records.map((before) => ({ before, after: undefined }));
    case 'ttl': {
      const wanted = ttl.trim() === '' ? null : Number(ttl);
      return records
        .filter((before) => before.ttl !== wanted)
        .map((before) => ({ before, after: { ...before, ttl: wanted } }));
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

function toOperation({ before, after }: Change): RecordOperation {
  const { id, version } = before;
  if (after === undefined) return { action: 'delete', id, if_version: version };
  const record = {
    ...(after.ttl === before.ttl ? {} : { ttl: after.ttl }),
    ...(after.data === before.data ? {} : { data: after.data }),
  };
  return { action: 'update', id, if_version: version, record };
}
