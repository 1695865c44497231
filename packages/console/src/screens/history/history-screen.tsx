import { useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { useSearchParams } from 'wouter';
import { clientOf } from '../../api/client.js';
import { keys } from '../../api/queries.js';
import { formatRelative, readTime, useMessages } from '../../messages/language.js';
import type { DomainScreenProps } from '../../shell/screen-props.js';
import { Banner } from '../../ui/banner.js';
import { Button } from '../../ui/button.js';
import { FailureBanner } from '../../ui/failure.js';
import { EmptyState, Page } from '../../ui/page.js';
import { Loading } from '../../ui/query-view.js';
import { SearchBox } from '../../ui/search-box.js';
import { CompareDialog } from './compare-dialog.js';
import styles from './history.module.css';
import { MESSAGES } from './messages.js';
import { StepRow } from './step-row.js';
import { UndoDialog, type UndoWish } from './undo-dialog.js';

const PAGE_ROWS = 50;

export function HistoryScreen({ projectId, domain }: DomainScreenProps) {
  const t = useMessages(MESSAGES);
  const [search, setSearch] = useSearchParams();
  const recordId = search.get('record') ?? '';
  const typed = search.get('name') ?? '';
  const wanted = useDeferredValue(typed.trim());
  const [wish, setWish] = useState<UndoWish>();
  const query = useInfiniteQuery({
    queryKey: [...keys.inDomain(projectId, domain.id), 'history', recordId, wanted],
    initialPageParam: undefined as number | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const asked = {
        group: 'serial' as const,
        extended: true,
        limit: PAGE_ROWS,
        ...(recordId === '' ? {} : { record_id: recordId }),
        ...(wanted === '' ? {} : { name: wholeName(wanted, domain.name) }),
        ...(pageParam === undefined ? {} : { marker: pageParam }),
      };
      const { value } = await clientOf(projectId).call(
        'listChanges',
        { path: { domainId: domain.id }, query: asked },
        { signal },
      );
      return { steps: value.steps ?? [], begins: value.history_begins };
    },
    getNextPageParam: ({ steps }) => (steps.length < PAGE_ROWS ? undefined : steps.at(-1)?.id),
  });
  const { data, error } = query;
  const steps = data?.pages.flatMap((page) => page.steps) ?? [];
  const begins = data?.pages[0]?.begins;
  const serials = [...new Set(steps.map(({ serial_after: serial }) => serial))];
  const [isComparing, setIsComparing] = useState(false);
  return (
    <Page
      title={t.title}
      tabTitle={`${t.title}: ${domain.name.replace(/\.$/, '')}`}
      description={t.description}
      level={2}
      actions={
        serials.length > 1 && (
          <Button
            onClick={() => {
              setIsComparing(true);
            }}
          >
            {t.compare}
          </Button>
        )
      }
    >
      {recordId === '' ? (
        <SearchBox
          label={t.filter}
          value={typed}
          onChange={(name) => {
            setSearch(name === '' ? {} : { name }, { replace: true });
          }}
        />
      ) : (
        <Banner
          tone="info"
          actions={
            <Button
              onClick={() => {
                setSearch({});
              }}
            >
              {t.all}
            </Button>
          }
        >
          {t.ofRecord}
        </Banner>
      )}
      {error !== null && <FailureBanner error={error} />}
      {data === undefined && error === null && <Loading />}
      {data !== undefined && steps.length === 0 && (
        <EmptyState title={recordId === '' && wanted === '' ? t.none : t.noneFound} />
      )}
      {steps.length > 0 && (
        <ol className={styles['steps']}>
          {steps.map((step, index) => (
            <StepRow
              key={step.id}
              projectId={projectId}
              domain={domain}
              step={step}
              isNewest={index === 0 && recordId === '' && wanted === ''}
              onWish={setWish}
            />
          ))}
        </ol>
      )}
      {query.hasNextPage && (
        <div>
          <Button isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t.more}
          </Button>
        </div>
      )}
      {begins != null && !query.hasNextPage && (
        <p className={styles['muted']}>{t.begins(formatRelative(readTime(begins.changed_at)))}</p>
      )}
      {isComparing && (
        <CompareDialog
          projectId={projectId}
          domain={domain}
          serials={serials}
          onClose={() => {
            setIsComparing(false);
          }}
        />
      )}
      {wish !== undefined && (
        <UndoDialog
          projectId={projectId}
          domain={domain}
          wish={wish}
          onClose={() => {
            setWish(undefined);
          }}
        />
      )}
    </Page>
  );
}

function wholeName(typed: string, domain: string): string {
  if (typed === '@') return domain;
  if (typed.endsWith('.')) return typed;
  return `${typed}.`.endsWith(domain) ? `${typed}.` : `${typed}.${domain}`;
}
