import { useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { useSearchParams } from 'wouter';
import { clientOf } from '../../api/client.js';
import { keys, type ListedDomain } from '../../api/queries.js';
import type { DomainScreenProps } from '../../shell/screen-props.js';
import { formatRelative, readTime, useMessages } from '../../state/language.js';
import { Banner, FailureBanner } from '../../ui/banner.js';
import { Button } from '../../ui/button.js';
import { SearchBox } from '../../ui/field.js';
import { EmptyState, Page } from '../../ui/page.js';
import { Loading } from '../../ui/query-view.js';
import { canonical, COMMON_TYPES } from '../records/record-text.js';
import { ChangesetRow } from './changeset-row.js';
import { CompareDialog } from './compare-dialog.js';
import { MESSAGES } from './messages.js';
import { UndoDialog, type UndoRequest } from './undo-dialog.js';
import styles from './history.module.css';

export function HistoryScreen({ projectId, domain }: DomainScreenProps) {
  const t = useMessages(MESSAGES);
  const [search, setSearch] = useSearchParams();
  const recordId = search.get('record') ?? '';
  const name = search.get('name') ?? '';
  const type = search.get('type') ?? '';
  const user = search.get('user') ?? '';
  const wanted = useDeferredValue(name.trim());
  const isFiltered = [recordId, wanted, type, user].some((each) => each !== '');
  const [wish, setWish] = useState<UndoRequest>();
  const { query, steps } = useChangesets(projectId, domain, { recordId, name: wanted, type, user });
  // The list of users must not depend on the selected user.
  const all = useChangesets(projectId, domain);
  const authors = new Map(
    [...steps, ...all.steps].map((step) => [step.user_id, step.user_name ?? step.user_id]),
  );
  const change = (parameter: string) => (value: string) => {
    setSearch(
      (before) => {
        if (value === '') before.delete(parameter);
        else before.set(parameter, value);
        return before;
      },
      { replace: true },
    );
  };
  const { data, error } = query;
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
        <div className={styles['filters']}>
          <SearchBox label={t.filter} value={name} onChange={change('name')} />
          <Choice
            label={t.type}
            every={t.everyType}
            value={type}
            options={COMMON_TYPES.map((each) => [each, each])}
            onChange={change('type')}
          />
          <Choice
            label={t.user}
            every={t.everybody}
            value={user}
            options={[...authors]}
            onChange={change('user')}
          />
        </div>
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
        <EmptyState title={isFiltered ? t.noneFound : t.none} />
      )}
      {steps.length > 0 && (
        <ol className={styles['steps']}>
          {steps.map((step, index) => (
            <ChangesetRow
              key={step.id}
              projectId={projectId}
              domain={domain}
              step={step}
              isNewest={index === 0 && !isFiltered}
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

interface ChoiceProps {
  readonly label: string;
  readonly every: string;
  /** Empty means all. */
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly onChange: (value: string) => void;
}

function Choice({ label, every, value, options, onChange }: ChoiceProps) {
  // A URL may contain a value that is not among the options.
  const isOffered = value === '' || options.some(([each]) => each === value);
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => {
        onChange(event.target.value);
      }}
    >
      <option value="">{every}</option>
      {!isOffered && <option>{value}</option>}
      {options.map(([each, text]) => (
        <option key={each} value={each}>
          {text}
        </option>
      ))}
    </select>
  );
}

const PAGE_ROWS = 50;

/** Empty values match everything. */
interface Filter {
  readonly recordId: string;
  readonly name: string;
  readonly type: string;
  readonly user: string;
}

const NO_FILTER: Filter = { recordId: '', name: '', type: '', user: '' };

/** Loads the changesets of a domain, newest first, page by page. */
function useChangesets(
  projectId: string,
  domain: ListedDomain,
  { recordId, name, type, user }: Filter = NO_FILTER,
) {
  const query = useInfiniteQuery({
    queryKey: [...keys.inDomain(projectId, domain.id), 'history', recordId, name, type, user],
    initialPageParam: undefined as number | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const asked = {
        group: 'serial' as const,
        extended: true,
        limit: PAGE_ROWS,
        ...(recordId === '' ? {} : { record_id: recordId }),
        ...(name === '' ? {} : { name: wholeName(name, canonical(domain.name)) }),
        ...(type === '' ? {} : { type }),
        ...(user === '' ? {} : { user_id: user }),
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
  return { query, steps: query.data?.pages.flatMap((page) => page.steps) ?? [] };
}

function wholeName(typed: string, domain: string): string {
  if (typed === '@') return domain;
  if (typed.endsWith('.')) return typed;
  return `${typed}.`.endsWith(domain) ? `${typed}.` : `${typed}.${domain}`;
}
