import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useCallback } from 'react';
import { formatTime, useMessages } from '../state/language.js';
import { SHARED } from '../state/shared-messages.js';
import { FailureBanner, isPassing, RetryBanner } from './banner.js';
import styles from './query-view.module.css';

interface QueryViewProps<T> {
  readonly query: UseQueryResult<T>;
  readonly children: (data: T) => ReactNode;
}

/**
 * Shows the result of a query, or a placeholder while it loads. If a refetch fails, the old result is shown with its
 * age.
 */
export function QueryView<T>({ query, children }: QueryViewProps<T>) {
  const { data, error, refetch, dataUpdatedAt } = query;
  const t = useMessages(SHARED);
  const retry = useCallback(() => void refetch(), [refetch]);
  const failure =
    error === null ? undefined : isPassing(error) ? (
      <RetryBanner error={error} onRetry={retry} />
    ) : (
      <FailureBanner error={error} />
    );
  if (data === undefined) return failure ?? <Loading />;
  return (
    <>
      {failure !== undefined && (
        <>
          {failure}
          <p className={styles['age']}>{t.asOf(formatTime(new Date(dataUpdatedAt)))}</p>
        </>
      )}
      {children(data)}
    </>
  );
}

export function Loading() {
  const t = useMessages(SHARED);
  return (
    <div className={styles['loading']} role="status" aria-label={t.loading}>
      {[72, 100, 88, 95].map((width) => (
        <span key={width} className={styles['bar']} style={{ inlineSize: `${width}%` }} />
      ))}
    </div>
  );
}
