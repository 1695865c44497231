import { type ReactNode, useEffect } from 'react';
import styles from './page.module.css';

interface PageProps {
  readonly title: string;
  /** Title of the browser tab. The default is the heading. */
  readonly tabTitle?: string;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  /** Heading level: `h2` within a domain, whose name is the `h1`. */
  readonly level?: 1 | 2;
  readonly children: ReactNode;
}

/** Screen with its heading, actions and content. */
export function Page({
  title,
  tabTitle = title,
  description,
  actions,
  level = 1,
  children,
}: PageProps) {
  useEffect(() => {
    document.title = `${tabTitle} – Zonewright`;
  }, [tabTitle]);
  return (
    <div className={styles['page']}>
      <div className={styles['head']}>
        <div>
          {level === 1 ? <h1>{title}</h1> : <h2 className={styles['second']}>{title}</h2>}
          {description !== undefined && <p className={styles['description']}>{description}</p>}
        </div>
        {actions !== undefined && <div className={styles['actions']}>{actions}</div>}
      </div>
      {children}
    </div>
  );
}

export function Card({
  title,
  children,
  actions,
}: {
  readonly title?: string;
  readonly children: ReactNode;
  readonly actions?: ReactNode;
}) {
  return (
    <section className={styles['card']}>
      {title !== undefined && (
        <div className={styles['cardHead']}>
          <h2>{title}</h2>
          {actions}
        </div>
      )}
      {children}
    </section>
  );
}

/** Explains an empty list, and what to do first. */
export function EmptyState({
  title,
  children,
  action,
}: {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <div className={styles['empty']}>
      <p className={styles['emptyTitle']}>{title}</p>
      {children !== undefined && <div className={styles['emptyText']}>{children}</div>}
      {action}
    </div>
  );
}

export function Pill({
  tone = 'plain',
  children,
}: {
  readonly tone?: 'plain' | 'good' | 'warn' | 'bad' | 'accent';
  readonly children: ReactNode;
}) {
  return <span className={`${styles['pill'] ?? ''} ${styles[tone] ?? ''}`}>{children}</span>;
}

/** List of terms and values. */
export function Facts({ rows }: { readonly rows: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={styles['facts']}>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
