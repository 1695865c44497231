import { useInfiniteQuery } from '@tanstack/react-query';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { clientOf } from '../../api/client.js';
import { keys, type ListedDomain } from '../../api/queries.js';
import { formatNumber, useMessages } from '../../state/language.js';
import { paths } from '../../state/paths.js';
import { rowsBetween } from '../../state/lists.js';
import { Button } from '../../ui/button.js';
import { FailureBanner } from '../../ui/banner.js';
import { EmptyState } from '../../ui/page.js';
import { Loading } from '../../ui/query-view.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { toUnicodeName } from '../../ui/unicode-name.js';
import { useAction } from '../../ui/use-action.js';
import styles from './domains.module.css';
import { MESSAGES } from './messages.js';
import type { Selection } from './selected-domains.js';

const PAGE_ROWS = 200;
const ROW_HEIGHT = 48;

interface DomainListProps {
  readonly projectId: string;
  readonly q: string;
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
  readonly onCreate: () => void;
}

/** List of all domains by name. Pages are loaded while the user scrolls, and only visible rows are rendered. */
export function DomainList({ projectId, q, selection, onSelect, onCreate }: DomainListProps) {
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
  const selecting = useAction(
    useCallback(
      async (all: readonly ListedDomain[] | undefined) => {
        const found = new Map<string, ListedDomain>();
        // Includes domains that are not loaded yet, because "all" must mean all.
        for await (const domain of all ?? clientOf(projectId).domains.list({}, { q }))
          found.set(domain.id, domain);
        onSelect(found);
      },
      [projectId, q, onSelect],
    ),
  );
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
      {selecting.error !== undefined && <FailureBanner error={selecting.error} />}
      <Rows
        projectId={projectId}
        domains={domains}
        total={total}
        selection={selection}
        onSelect={onSelect}
        onAll={() =>
          void selecting.run(data.pages[0]?.total === domains.length ? domains : undefined)
        }
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
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
  readonly onAll: () => void;
  readonly onEnd: () => void;
}

function Rows({ projectId, domains, total, selection, onSelect, onAll, onEnd }: RowsProps) {
  const t = useMessages(MESSAGES);
  const list = useRef<HTMLDivElement>(null);
  /** First row of a range selection. */
  const anchor = useRef(0);
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
  const toggle = (index: number, isRange: boolean) => {
    const next = new Map(selection);
    const domain = domains[index];
    if (domain === undefined) return;
    if (isRange) {
      for (const each of rowsBetween(domains, anchor.current, index)) next.set(each.id, each);
    } else if (!next.delete(domain.id)) next.set(domain.id, domain);
    if (!isRange) anchor.current = index;
    onSelect(next);
  };
  const isAllSelected = selection.size >= total && domains.every(({ id }) => selection.has(id));
  return (
    <div role="table" aria-label={t.title} aria-rowcount={total + 1} className={styles['table']}>
      <div role="row" aria-rowindex={1} className={styles['header']}>
        <span role="columnheader" className={styles['check']}>
          <input
            type="checkbox"
            aria-label={t.selectAll}
            checked={isAllSelected}
            onChange={() => {
              if (isAllSelected) onSelect(new Map());
              else onAll();
            }}
          />
        </span>
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
              isSelected={selection.has(domain.id)}
              onToggle={toggle}
            />
          );
        })}
      </div>
    </div>
  );
}

interface DomainRowProps {
  readonly projectId: string;
  readonly domain: ListedDomain;
  readonly index: number;
  readonly top: number;
  readonly isSelected: boolean;
  readonly onToggle: (index: number, isRange: boolean) => void;
}

function DomainRow({ projectId, domain, index, top, isSelected, onToggle }: DomainRowProps) {
  const t = useMessages(MESSAGES);
  const name = domain.name.replace(/\.$/, '');
  const shown = toUnicodeName(name);
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={`${styles['row'] ?? ''} ${isSelected ? (styles['selected'] ?? '') : ''}`}
      style={{ transform: `translateY(${top}px)` }}
    >
      <span role="cell" className={styles['check']}>
        <input
          type="checkbox"
          aria-label={t.selectOne(shown)}
          checked={isSelected}
          onClick={(event) => {
            onToggle(index, event.shiftKey);
          }}
          onChange={() => undefined}
        />
      </span>
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
