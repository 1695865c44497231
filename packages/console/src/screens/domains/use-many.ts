import { useCallback, useEffect, useRef, useState } from 'react';
import { doOwn } from '../../api/query-client.js';
import { type ListedDomain, refreshDomain } from '../../api/queries.js';
import { useMessages } from '../../state/language.js';
import { doWithEach } from '../../state/lists.js';
import { showUndo } from '../../ui/toasts.js';
import { MESSAGES } from './messages.js';

type Write = (domain: ListedDomain) => Promise<{ readonly serial: number | undefined }>;

interface Deed {
  readonly write: Write;
  readonly undo: Write;
  readonly said: (number: number) => string;
}

interface Many {
  /** @throws the error of one domain; completed changes have been reported by then, and can be undone */
  readonly run: (domains: readonly ListedDomain[], deed: Deed) => Promise<void>;
  /** Undefined if nothing is in progress. */
  readonly progress: number | undefined;
}

/**
 * Changes many domains. No further change is started after the user has left. @param onDone gets the changed domains
 */
export function useMany(projectId: string, onDone: (done: readonly ListedDomain[]) => void): Many {
  const t = useMessages(MESSAGES);
  const [progress, setProgress] = useState<number>();
  const staying = useRef<AbortController>(undefined);
  useEffect(() => {
    const controller = new AbortController();
    staying.current = controller;
    return () => {
      controller.abort();
    };
  }, []);
  const run = useCallback<Many['run']>(
    async (domains, { write, undo, said }) => {
      setProgress(0);
      const signal = staying.current?.signal;
      const options = { onProgress: setProgress, ...(signal === undefined ? {} : { signal }) };
      const { done, failure } = await writeEach(projectId, domains, write, options);
      setProgress(undefined);
      if (done.length > 0) {
        onDone(done);
        showUndo(said(done.length), async () => {
          const undone = await writeEach(projectId, done, undo);
          if (undone.failure !== undefined) throw undone.failure.error;
        });
      }
      if (failure === undefined) return;
      const { item, error } = failure;
      if (domains.length === 1) throw error;
      const why = error instanceof Error ? error.message : String(error);
      throw new Error(`${item.name.replace(/\.$/, '')}: ${why} ${t.rest(done.length)}`, {
        cause: error,
      });
    },
    [projectId, onDone, t],
  );
  return { run, progress };
}

async function writeEach(
  projectId: string,
  domains: readonly ListedDomain[],
  write: Write,
  options: Parameters<typeof doWithEach>[2] = {},
) {
  const outcome = await doWithEach(
    domains,
    (domain) => doOwn(domain.id, () => write(domain)),
    options,
  );
  await refreshDomain(projectId, ...outcome.done.map(({ id }) => id));
  return outcome;
}
