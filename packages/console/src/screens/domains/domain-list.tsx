import { useInfiniteQuery } from '@tanstack/react-query';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { clientOf } from '../../api/client.js';
import { keys, type ListedDomain } from '../../api/queries.js';
import { formatNumber, useMessages } from '../../messages/language.js';
import { paths } from '../../paths/paths.js';
import { Button } from '../../ui/button.js';
import { FailureBanner } from '../../ui/failure.js';
import { EmptyState } from '../../ui/page.js';
import { Loading } from '../../ui/query-view.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { toUnicodeName } from '../../ui/unicode-name.js';
import styles from './domains.module.css';
import { MESSAGES } from './messages.js';

const PAGE_ROWS = 200;
const ROW_HEIGHT = 48;

interface DomainListProps {
  readonly projectId: string;
  readonly q: string;
  readonly onCreate: () => void;
}

/** All domains by name, a page at a time as they are scrolled to; only those in sight are drawn. */
export function DomainList({ projectId, q, onCreate }: DomainListProps) {
  const t = useMessages(MESSAGES);
  const query = useInfiniteQuery({
    queryKey: [...keys.domains(projectId), q],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const { value, total } = await clientOf(projectId).call(
        'listDomains',
        {
          query: {
            extended: true,
            limit: PAGE_ROWS,
            sort: 'name',
            ...(q === '' ? {} : { q }),
            ...(pageParam === undefined ? { total: true } : { marker: pageParam }),
          },
        },
        { signal },
      );
      return { domains: value.domains, total };
    },
    getNextPageParam: ({ domains }) =>
      domains.length < PAGE_ROWS ? undefined : domains.at(-1)?.id,
    placeholderData: (before) => before,
  });
  const { data, error } = query;
  if (data === undefined) return error === null ? <Loading /> : <FailureBanner error={error} />;
  const domains = data.pages.flatMap((page) => page.domains);
  const total = data.pages[0]?.total ?? domains.length;
  if (domains.length === 0 && q === '') {
    return (
      <EmptyState
        title={t.none}
        action={
          <Button kind="primary" icon="plus" onClick={onCreate}>
            {t.newDomain}
          </Button>
        }
      >
        {t.noneText}
      </EmptyState>
    );
  }
  if (domains.length === 0) return <EmptyState title={t.noneFound(q)} />;
  return (
    <>
      {error !== null && <FailureBanner error={error} />}
      <Rows
        projectId={projectId}
        domains={domains}
        total={total}
        onEnd={() => {
          if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage();
        }}
      />
      <p className={styles['count']} role="status">
        {t.total(total)}
      </p>
    </>
  );
}

interface RowsProps {
  readonly projectId: string;
  readonly domains: readonly ListedDomain[];
  readonly total: number;
  readonly onEnd: () => void;
}

function Rows({ projectId, domains, total, onEnd }: RowsProps) {
  const t = useMessages(MESSAGES);
  const list = useRef<HTMLDivElement>(null);
  const rows = useWindowVirtualizer({
    count: domains.length,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
    scrollMargin: list.current?.offsetTop ?? 0,
  });
  const items = rows.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= domains.length - 20) onEnd();
  });
  return (
    <div role="table" aria-label={t.title} aria-rowcount={total + 1} className={styles['table']}>
      <div role="row" aria-rowindex={1} className={styles['header']}>
        <span role="columnheader">{t.name}</span>
        <span role="columnheader" className={styles['number']}>
          {t.records}
        </span>
        <span role="columnheader">{t.lastChange}</span>
      </div>
      <div
        role="rowgroup"
        ref={list}
        className={styles['rows']}
        style={{ blockSize: rows.getTotalSize() }}
      >
        {items.map(({ index, start }) => {
          const domain = domains[index];
          return domain === undefined ? null : (
            <DomainRow
              key={domain.id}
              projectId={projectId}
              domain={domain}
              index={index}
              top={start - rows.options.scrollMargin}
            />
          );
        })}
      </div>
    </div>
  );
}

function DomainRow({
  projectId,
  domain,
  index,
  top,
}: {
  readonly projectId: string;
  readonly domain: ListedDomain;
  readonly index: number;
  readonly top: number;
}) {
  const t = useMessages(MESSAGES);
  const name = domain.name.replace(/\.$/, '');
  const shown = toUnicodeName(name);
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={styles['row']}
      style={{ transform: `translateY(${top}px)` }}
    >
      <span role="cell" className={styles['name']}>
        <Link href={paths.records(projectId, name)} title={name}>
          {shown}
        </Link>
        {shown !== name && <small>{name}</small>}
        {shown === name && domain.description !== null && <small>{domain.description}</small>}
      </span>
      <span role="cell" className={styles['number']}>
        {domain.record_count === undefined ? '' : formatNumber(domain.record_count)}
      </span>
      <span role="cell" className={styles['change']}>
        {domain.last_change != null && (
          <>
            <RelativeTime at={domain.last_change.at} />{' '}
            {domain.last_change.user_name !== null && t.by(domain.last_change.user_name)}
          </>
        )}
      </span>
    </div>
  );
}
