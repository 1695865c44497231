import { useDeferredValue, useState } from 'react';
import { useSearchParams } from 'wouter';
import { formatRelative, readTime, useMessages } from '../../messages/language.js';
import type { DomainScreenProps } from '../../shell/screen-props.js';
import { COMMON_TYPES } from '../../state/common-types.js';
import { Banner } from '../../ui/banner.js';
import { Button } from '../../ui/button.js';
import { FailureBanner } from '../../ui/failure.js';
import { EmptyState, Page } from '../../ui/page.js';
import { Loading } from '../../ui/query-view.js';
import { SearchBox } from '../../ui/search-box.js';
import { CompareDialog } from './compare-dialog.js';
import styles from './history.module.css';
import { MESSAGES } from './messages.js';
import { ChangesetRow } from './changeset-row.js';
import { useChangesets } from './use-changesets.js';
import { UndoDialog, type UndoRequest } from './undo-dialog.js';

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
  // The choice of users must not depend on the user that is chosen.
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
  /** Empty: each. */
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly onChange: (value: string) => void;
}

function Choice({ label, every, value, options, onChange }: ChoiceProps) {
  // An address may name what is not offered.
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
