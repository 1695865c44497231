import { useCallback, useRef, useState } from 'react';
import type { ListedDomain } from '../../api/queries.js';
import { exportCommands } from './domain-commands.js';
import { useMessages } from '../../state/language.js';
import { SHARED } from '../../state/shared-messages.js';
import { Button } from '../../ui/button.js';
import { Commands } from '../../ui/commands.js';
import { FailureBanner } from '../../ui/banner.js';
import { saveFile } from '../../ui/save-file.js';
import { SelectionBar } from '../../ui/table.js';
import { showToast } from '../../ui/toasts.js';
import { useAction } from '../../ui/use-action.js';
import { ChangeManyDialog, DeleteManyDialog } from './many-dialogs.js';
import { MESSAGES } from './messages.js';

/** Selected domains by id, including those that do not match the search. */
export type Selection = ReadonlyMap<string, ListedDomain>;

interface SelectedDomainsProps {
  readonly projectId: string;
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
}

/** Actions for several domains at once. */
export function SelectedDomains({ projectId, selection, onSelect }: SelectedDomainsProps) {
  const t = useMessages(MESSAGES);
  const shared = useMessages(SHARED);
  const [doing, setDoing] = useState<'delete' | 'change'>();
  const [packed, setPacked] = useState<number>();
  const stopping = useRef<AbortController>(undefined);
  const domains = [...selection.values()];
  const exporting = useAction(
    useCallback(
      async (all: readonly ListedDomain[]) => {
        const controller = new AbortController();
        stopping.current = controller;
        const { signal } = controller;
        setPacked(0);
        try {
          const { exportZones } = await import('./export-zones.js');
          const zip = await exportZones(projectId, all, { signal, onProgress: setPacked });
          saveFile(`zones-${new Date().toISOString().slice(0, 10)}.zip`, zip);
          showToast({ text: t.exported(all.length) });
        } catch (error) {
          if (!signal.aborted) throw error;
          showToast({ text: t.stopped });
        } finally {
          setPacked(undefined);
        }
      },
      [projectId, t],
    ),
  );
  const stop = useCallback(() => {
    setDoing(undefined);
  }, []);
  const forget = useCallback(
    (done: readonly ListedDomain[]) => {
      const left = new Map(selection);
      for (const { id } of done) left.delete(id);
      onSelect(left);
    },
    [selection, onSelect],
  );
  return (
    <>
      {exporting.error !== undefined && <FailureBanner error={exporting.error} />}
      <SelectionBar text={t.selected(domains.length)}>
        <Button
          icon="download"
          isBusy={exporting.isBusy}
          onClick={() => void exporting.run(domains)}
        >
          {packed === undefined ? t.exportMany : t.packed(packed, domains.length)}
        </Button>
        {packed !== undefined && (
          <Button
            kind="quiet"
            onClick={() => {
              stopping.current?.abort();
            }}
          >
            {shared.cancel}
          </Button>
        )}
        <Button
          icon="edit"
          onClick={() => {
            setDoing('change');
          }}
        >
          {t.changeMany}
        </Button>
        <Button
          kind="danger"
          icon="trash"
          onClick={() => {
            setDoing('delete');
          }}
        >
          {t.deleteMany}
        </Button>
        <Button
          kind="quiet"
          onClick={() => {
            onSelect(new Map());
          }}
        >
          {t.clear}
        </Button>
        <Commands label={t.exportAsCommands} texts={exportCommands(domains)} />
      </SelectionBar>
      {doing === 'delete' && (
        <DeleteManyDialog {...{ projectId, domains }} onDone={forget} onClose={stop} />
      )}
      {doing === 'change' && (
        <ChangeManyDialog {...{ projectId, domains }} onDone={forget} onClose={stop} />
      )}
    </>
  );
}
