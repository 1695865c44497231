import { type Answer, ApiError } from '@zonewright/client';
import { useCallback, useRef, useState } from 'react';
import { clientOf } from '../../api/client.js';
import { doOwn } from '../../api/own-changes.js';
import { type ListedDomain, refreshDomain } from '../../api/queries.js';
import { useMessages } from '../../messages/language.js';
import { SHARED } from '../../messages/shared.js';
import { showToast } from '../../ui/toasts.js';
import { MESSAGES } from './messages.js';

export interface Writer {
  /** Of the last change here; undefined until there is one. */
  readonly serial: number | undefined;
  /** Does it, says so, and can undo it. @throws whatever the client throws */
  readonly write: (done: string, perform: () => Promise<Answer<unknown>>) => Promise<void>;
  /** Takes back the last change that was made here and is not taken back yet. */
  readonly undo: () => Promise<void>;
}

/** Every change of a domain's records goes this way, so that each can be followed and undone. */
export function useWriter(projectId: string, domain: ListedDomain): Writer {
  const t = useMessages(MESSAGES);
  const shared = useMessages(SHARED);
  const [serial, setSerial] = useState<number>();
  const done = useRef<number[]>([]);
  const { id: domainId } = domain;

  const revert = useCallback(
    async (past: number) => {
      const path = { domainId, serial: past };
      try {
        const answer = await doOwn(domainId, () =>
          clientOf(projectId).call('revertChange', { path, query: { confirm: true } }),
        );
        done.current = done.current.filter((each) => each !== past);
        const now = answer.serial ?? answer.value.serial;
        setSerial(now);
        showToast({ text: t.undone, action: { label: t.redo, run: () => void revert(now) } });
      } catch (error) {
        const text =
          error instanceof ApiError && error.status === 409
            ? t.undoFailed
            : (error as Error).message;
        showToast({ text, tone: 'bad' });
      }
      await refreshDomain(projectId, domainId);
    },
    [projectId, domainId, t],
  );

  const write = useCallback(
    async (text: string, perform: () => Promise<Answer<unknown>>) => {
      const { serial: now } = await doOwn(domainId, perform);
      if (now !== undefined) {
        setSerial(now);
        done.current.push(now);
        showToast({ text, action: { label: shared.undo, run: () => void revert(now) } });
      }
      await refreshDomain(projectId, domainId);
    },
    [projectId, domainId, revert, shared],
  );

  const undo = useCallback(async () => {
    const last = done.current.pop();
    if (last === undefined) showToast({ text: t.nothingToUndo });
    else await revert(last);
  }, [revert, t]);

  return { serial, write, undo };
}
