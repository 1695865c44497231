import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { clientOf } from '../../api/client.js';
import { keys, type ListedDomain } from '../../api/queries.js';
import { useMessages } from '../../state/language.js';
import { Button } from '../../ui/button.js';
import { FailureBanner } from '../../ui/banner.js';
import { EmptyState } from '../../ui/page.js';
import { QueryView } from '../../ui/query-view.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { SelectionBar } from '../../ui/table.js';
import { Table } from '../../ui/table.js';
import { toUnicodeName } from '../../ui/unicode-name.js';
import { useAction } from '../../ui/use-action.js';
import styles from './domains.module.css';
import { MESSAGES } from './messages.js';
import { useMany } from './use-many.js';

const MOST = 1000;
const NOTHING: ReadonlySet<string> = new Set();
const displayName = ({ name }: ListedDomain) => toUnicodeName(name.replace(/\.$/, ''));

export function DeletedDomains({
  projectId,
  q,
}: {
  readonly projectId: string;
  readonly q: string;
}) {
  const t = useMessages(MESSAGES);
  const [selected, setSelected] = useState(NOTHING);
  const query = useQuery({
    queryKey: [...keys.domains(projectId), 'deleted', q],
    queryFn: async ({ signal }) => {
      const asked = { deleted: true, limit: MOST, ...(q === '' ? {} : { q }) };
      return (await clientOf(projectId).call('listDomains', { query: asked }, { signal })).value
        .domains;
    },
  });
  const { run } = useMany(
    projectId,
    useCallback((done: readonly ListedDomain[]) => {
      setSelected((before) => {
        const left = new Set(before);
        for (const { id } of done) left.delete(id);
        return left;
      });
    }, []),
  );
  const restoring = useAction(
    useCallback(
      async (domains: readonly ListedDomain[]) => {
        const client = clientOf(projectId);
        const [first] = domains;
        await run(domains, {
          write: ({ id }) => client.domains.undelete(id),
          undo: ({ id }) => client.domains.delete(id),
          said: (number) =>
            number === 1 && first !== undefined
              ? t.restored(displayName(first))
              : t.restoredMany(number),
        });
      },
      [projectId, run, t],
    ),
  );
  const chosen = query.data?.filter(({ id }) => selected.has(id)) ?? [];
  return (
    <>
      {restoring.error !== undefined && <FailureBanner error={restoring.error} />}
      {chosen.length > 0 && (
        <SelectionBar text={t.selected(chosen.length)}>
          <Button icon="undo" isBusy={restoring.isBusy} onClick={() => void restoring.run(chosen)}>
            {t.restore}
          </Button>
          <Button
            kind="quiet"
            onClick={() => {
              setSelected(NOTHING);
            }}
          >
            {t.clear}
          </Button>
        </SelectionBar>
      )}
      <QueryView query={query}>
        {(domains) =>
          domains.length === 0 ? (
            <EmptyState title={t.noneDeleted}>{t.noneDeletedText}</EmptyState>
          ) : (
            <Table
              caption={t.deleted}
              rows={domains}
              keyOf={({ id }) => id}
              columns={[
                {
                  title: t.name,
                  cell: (domain) => (
                    <label className={styles['pick']}>
                      <input
                        type="checkbox"
                        checked={selected.has(domain.id)}
                        onChange={({ target: { checked } }) => {
                          const next = new Set(selected);
                          if (checked) next.add(domain.id);
                          else next.delete(domain.id);
                          setSelected(next);
                        }}
                      />
                      {displayName(domain)}
                    </label>
                  ),
                },
                {
                  title: t.deleted,
                  cell: ({ deleted_at: at }) => at !== undefined && <RelativeTime at={at} />,
                },
                {
                  title: t.until,
                  cell: ({ undelete_until: until }) =>
                    until !== undefined && <RelativeTime at={until} />,
                },
                {
                  title: t.restore,
                  cell: (domain) => (
                    <Button icon="undo" onClick={() => void restoring.run([domain])}>
                      {t.restore}
                    </Button>
                  ),
                },
              ]}
            />
          )
        }
      </QueryView>
    </>
  );
}
