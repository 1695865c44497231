import { ApiError, type Problem, UnknownOutcomeError, UnreachableError } from '@zonewright/client';
import { type ReactNode, useEffect, useState } from 'react';
import { useMessages } from '../state/language.js';
import { SHARED } from '../state/shared-messages.js';
import { Button } from './button.js';
import { Icon } from './icon.js';
import styles from './banner.module.css';

interface BannerProps {
  readonly tone: 'info' | 'good' | 'warn' | 'bad';
  readonly title?: string;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}

/** Message about all content below it. */
export function Banner({ tone, title, children, actions }: BannerProps) {
  return (
    <div
      className={`${styles['banner'] ?? ''} ${styles[tone] ?? ''}`}
      role={tone === 'bad' ? 'alert' : 'status'}
    >
      <span className={styles['icon']}>
        <Icon name={tone === 'good' ? 'check' : 'warning'} />
      </span>
      <div className={styles['text']}>
        {title !== undefined && <strong>{title}</strong>}
        {children !== undefined && <div>{children}</div>}
      </div>
      {actions !== undefined && <div className={styles['actions']}>{actions}</div>}
    </div>
  );
}

/** Error message for any failed request. */
export function FailureBanner({ error }: { readonly error: unknown }) {
  const t = useMessages(SHARED);
  return (
    <Banner tone="bad" title={t.somethingFailed}>
      <FailureText error={error} />
    </Banner>
  );
}

export function FailureText({ error }: { readonly error: unknown }) {
  const t = useMessages(SHARED);
  if (error instanceof UnreachableError || error instanceof TypeError)
    return <p>{t.unreachable}</p>;
  if (error instanceof UnknownOutcomeError) return <p>{t.unknownOutcome}</p>;
  return (
    <>
      <p>{error instanceof Error ? error.message : String(error)}</p>
      {error instanceof ApiError && error.problems.length > 1 && (
        <ul>
          {error.problems.slice(0, 20).map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              <code>{path}</code> {message}
            </li>
          ))}
        </ul>
      )}
      {error instanceof ApiError && error.requestId !== undefined && (
        <p>
          <small>
            {t.requestId} {error.requestId}
          </small>
        </p>
      )}
    </>
  );
}

/**
 * Returns the problems of an error by the last part of their path: those of `/operations/0/record/data` belong to
 * `data`.
 */
export function problemsByField(error: unknown): Readonly<Record<string, string>> {
  const problems: readonly Problem[] = error instanceof ApiError ? error.problems : [];
  return Object.fromEntries(
    problems.map(({ path, message }) => [path.split(/[/.]/).at(-1) ?? '', message]),
  );
}

const RETRY_SECONDS = 5;

/** Returns the time that the service asks to wait, if it does. */
function waitOf(error: unknown): number {
  const asked = error instanceof ApiError ? error.retryAfterMs : undefined;
  return asked === undefined ? RETRY_SECONDS : Math.ceil(asked / 1_000);
}

/** Retries automatically and shows when. The button retries at once. */
export function RetryBanner({
  error,
  onRetry,
}: {
  readonly error: unknown;
  readonly onRetry: () => void;
}) {
  const t = useMessages(SHARED);
  const [left, setLeft] = useState(() => waitOf(error));
  useEffect(() => {
    const timer = setInterval(() => {
      setLeft((seconds) => seconds - 1);
    }, 1_000);
    return () => {
      clearInterval(timer);
    };
  }, []);
  useEffect(() => {
    if (left > 0) return;
    setLeft(waitOf(error));
    onRetry();
  }, [left, error, onRetry]);
  return (
    <Banner
      tone="warn"
      title={t.somethingFailed}
      actions={<Button onClick={onRetry}>{t.tryAgain}</Button>}
    >
      <FailureText error={error} />
      <p>
        <small>{t.retryIn(Math.max(left, 0))}</small>
      </p>
    </Banner>
  );
}

/** Whether the same request may succeed later. */
export function isPassing(error: unknown): boolean {
  if (error instanceof ApiError) return [429, 502, 503, 504].includes(error.status);
  return error instanceof UnreachableError || error instanceof TypeError;
}
