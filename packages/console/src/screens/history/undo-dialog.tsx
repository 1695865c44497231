import { useQuery } from '@tanstack/react-query';
import { ApiError } from '@zonewright/client';
import { useCallback, useEffect } from 'react';
import { clientOf } from '../../api/client.js';
import { doOwn } from '../../api/query-client.js';
import { keys, type ListedDomain, refreshDomain } from '../../api/queries.js';
import { ChangeList } from '../../ui/change-list.js';
import { useMessages } from '../../state/language.js';
import { Banner, FailureBanner } from '../../ui/banner.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { Loading } from '../../ui/query-view.js';
import { curl, zonewright } from '../../ui/shell.js';
import { showToast } from '../../ui/toasts.js';
import { useAction } from '../../ui/use-action.js';
import { MESSAGES } from './messages.js';

export interface UndoRequest {
  /** `revert` undoes one change; `restore` returns to the state after one. */
  readonly kind: 'revert' | 'restore';
  readonly serial: number;
}

interface UndoDialogProps {
  readonly projectId: string;
  readonly domain: ListedDomain;
  readonly wish: UndoRequest;
  readonly onClose: () => void;
}

/** Previews the changes, and then applies them to exactly that state of the domain. */
export function UndoDialog({
  projectId,
  domain,
  wish: { kind, serial },
  onClose,
}: UndoDialogProps) {
  const t = useMessages(MESSAGES);
  const { id: domainId } = domain;
  const send = useCallback(
    async (options: { dryRun?: boolean; ifMatch?: string | undefined; signal?: AbortSignal }) => {
      const client = clientOf(projectId);
      return kind === 'revert'
        ? await client.call(
            'revertChange',
            { path: { domainId, serial }, query: { confirm: true } },
            options,
          )
        : await client.call(
            'restoreDomain',
            { path: { domainId }, body: { serial, confirm: true } },
            options,
          );
    },
    [projectId, domainId, kind, serial],
  );
  const preview = useQuery({
    // The key is not below the key of the domain: once the undo is done, the preview must not be fetched again.
    queryKey: [...keys.project(projectId), 'preview', domainId, kind, serial],
    queryFn: async ({ signal }) => {
      const { etag } = await clientOf(projectId).domains.get(domainId, { signal });
      const { value } = await send({ dryRun: true, ifMatch: etag, signal });
      return { etag, difference: value.difference };
    },
    gcTime: 0,
    staleTime: 0,
  });
  const { data: { difference, etag } = {}, refetch } = preview;
  const perform = useCallback(async () => {
    await doOwn(domainId, () => send({ ifMatch: etag }));
    showToast({ text: kind === 'revert' ? t.reverted(serial) : t.restored(serial) });
    await refreshDomain(projectId, domainId);
    onClose();
  }, [send, etag, kind, serial, t, projectId, domainId, onClose]);
  const { run, isBusy, error } = useAction(perform);
  const isOutdated = error instanceof ApiError && error.status === 412;
  useEffect(() => {
    if (isOutdated) void refetch();
  }, [isOutdated, refetch]);
  const isEmpty =
    difference !== undefined &&
    difference.create.length + difference.update.length + difference.delete.length === 0;
  const isConflict = preview.error instanceof ApiError && preview.error.status === 409;
  return (
    <FormDialog
      title={kind === 'revert' ? t.revertTitle(serial) : t.restoreTitle(serial)}
      width="wide"
      submit={kind === 'revert' ? t.doRevert : t.doRestore}
      isReady={difference !== undefined && !isEmpty}
      action={{ run, isBusy, error: isOutdated ? undefined : error }}
      commands={{
        zonewright: zonewright(kind, domain.name.replace(/\.$/, ''), String(serial), '--yes'),
        curl: curl(
          kind === 'revert'
            ? {
                method: 'POST',
                path: `/v1/domains/${domainId}/changes/${serial}/revert?confirm=true`,
              }
            : {
                method: 'POST',
                path: `/v1/domains/${domainId}/restore`,
                body: { serial, confirm: true },
              },
        ),
      }}
      onClose={onClose}
    >
      <p>{kind === 'revert' ? t.revertText : t.restoreText}</p>
      {isOutdated && <Banner tone="warn">{t.changedMeanwhile}</Banner>}
      {isConflict && <Banner tone="warn">{t.conflict}</Banner>}
      {preview.error !== null && !isConflict && <FailureBanner error={preview.error} />}
      {preview.isPending && <Loading />}
      {isEmpty && <p>{t.nothing}</p>}
      {difference !== undefined && !isEmpty && (
        <>
          <ChangeList
            title={t.willHappen}
            created={difference.create}
            updated={difference.update}
            deleted={difference.delete}
          />
          {!difference.complete && <p>{t.notAll}</p>}
        </>
      )}
    </FormDialog>
  );
}
