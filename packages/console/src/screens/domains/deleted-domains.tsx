import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { clientOf } from '../../api/client.js';
import { doOwn } from '../../api/own-changes.js';
import { keys, type ListedDomain, refreshDomain } from '../../api/queries.js';
import { useMessages } from '../../messages/language.js';
import { Button } from '../../ui/button.js';
import { FailureBanner } from '../../ui/failure.js';
import { EmptyState } from '../../ui/page.js';
import { QueryView } from '../../ui/query-view.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { Table } from '../../ui/table.js';
import { offerUndo } from '../../ui/toasts.js';
import { toUnicodeName } from '../../ui/unicode-name.js';
import { MESSAGES } from './messages.js';

const MOST = 1000;

export function DeletedDomains({
  projectId,
  q,
}: {
  readonly projectId: string;
  readonly q: string;
}) {
  const t = useMessages(MESSAGES);
  const [error, setError] = useState<unknown>(undefined);
  const query = useQuery({
    queryKey: [...keys.domains(projectId), 'deleted', q],
    queryFn: async ({ signal }) => {
      const asked = { deleted: true, limit: MOST, ...(q === '' ? {} : { q }) };
      return (await clientOf(projectId).call('listDomains', { query: asked }, { signal })).value
        .domains;
    },
  });
  const restore = async ({ id, name }: ListedDomain) => {
    setError(undefined);
    try {
      const { domains } = clientOf(projectId);
      await doOwn(id, () => domains.undelete(id));
      offerUndo(t.restored(name.replace(/\.$/, '')), async () => {
        await doOwn(id, () => domains.delete(id));
        await refreshDomain(projectId, id);
      });
      await refreshDomain(projectId, id);
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <>
      {error !== undefined && <FailureBanner error={error} />}
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
                { title: t.name, cell: ({ name }) => toUnicodeName(name.replace(/\.$/, '')) },
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
                    <Button icon="undo" onClick={() => void restore(domain)}>
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
