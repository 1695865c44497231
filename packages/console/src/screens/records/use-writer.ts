import { type Answer, ApiError } from '@zonewright/client';
import { useCallback, useRef, useState } from 'react';
import { clientOf } from '../../api/client.js';
import { doOwn } from '../../api/query-client.js';
import { type ListedDomain, refreshDomain } from '../../api/queries.js';
import { useMessages } from '../../state/language.js';
import { type Deed, performEach, revertEach } from '../../state/deeds.js';
import { SHARED } from '../../state/shared-messages.js';
import { showToast } from '../../ui/toasts.js';
import { MESSAGES } from './messages.js';
import { type BatchResult, showResults } from './use-records.js';

type Perform = () => Promise<Answer<unknown>>;

export interface Writer {
  /** Serial of the last change made here. Undefined before the first one. */
  readonly serial: number | undefined;
  /**
   * Performs one or more writes, reports them, and offers to undo them. @throws errors of the client; completed writes
   * can still be undone
   */
  readonly write: (done: string, ...steps: readonly Perform[]) => Promise<void>;
  /** Undoes the last change of this screen that has not been undone. */
  readonly undo: () => Promise<void>;
}

function isBatchResult(value: unknown): value is BatchResult {
  return typeof value === 'object' && value !== null && 'results' in value;
}

/** Whether nothing changed. The serial then belongs to a change by another user. */
function hasChangedNothing(value: unknown): boolean {
  return isBatchResult(value) && value.results.every(({ status }) => status === 'unchanged');
}

/** Delay in milliseconds before the list is refetched, so that the nameservers get the change first. */
const AFTER_MARKS_MS = 250;

/** Performs every change of a domain's records, so that each can be tracked and undone. */
export function useWriter(projectId: string, domain: ListedDomain): Writer {
  const t = useMessages(MESSAGES);
  const shared = useMessages(SHARED);
  const [serial, setSerial] = useState<number>();
  const done = useRef<Deed[]>([]);
  const { id: domainId } = domain;

  const revert = useCallback(
    async (deed: Deed) => {
      done.current = done.current.filter((each) => each !== deed);
      const { undone, left, failure } = await revertEach(deed, async (past) => {
        const path = { domainId, serial: past };
        const answer = await doOwn(domainId, () =>
          clientOf(projectId).call('revertChange', { path, query: { confirm: true } }),
        );
        const now = answer.serial ?? answer.value.serial;
        setSerial(now);
        return now;
      });
      if (failure === undefined) {
        showToast({ text: t.undone, action: { label: t.redo, run: () => void revert(undone) } });
      } else {
        const { error } = failure;
        const isFinal = error instanceof ApiError && error.status === 409;
        if (!isFinal) done.current.push(left);
        showToast({ text: isFinal ? t.undoFailed : (error as Error).message, tone: 'bad' });
      }
      await refreshDomain(projectId, domainId);
    },
    [projectId, domainId, t],
  );

  const write = useCallback(
    async (text: string, ...steps: readonly Perform[]) => {
      const shown: boolean[] = [];
      const outcome = await performEach(
        steps.map((perform) => async () => {
          const { serial: now, value } = await doOwn(domainId, perform);
          if (now === undefined || hasChangedNothing(value)) return undefined;
          setSerial(now);
          shown.push(isBatchResult(value) && showResults(projectId, domainId, value));
          return now;
        }),
      );
      const { deed, done: stepsDone, failure } = outcome;
      if (deed.length > 0) {
        done.current.push(deed);
        const said = failure === undefined ? text : t.partly(stepsDone, steps.length);
        showToast({ text: said, action: { label: shared.undo, run: () => void revert(deed) } });
      }
      if (failure !== undefined) {
        void refreshDomain(projectId, domainId);
        throw failure.error;
      }
      if (shown.every(Boolean))
        setTimeout(() => void refreshDomain(projectId, domainId), AFTER_MARKS_MS);
      else await refreshDomain(projectId, domainId);
    },
    [projectId, domainId, revert, shared, t],
  );

  const undo = useCallback(async () => {
    const last = done.current.at(-1);
    if (last === undefined) showToast({ text: t.nothingToUndo });
    else await revert(last);
  }, [revert, t]);

  return { serial, write, undo };
}
