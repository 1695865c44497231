import type { ReactNode } from 'react';
import styles from './banner.module.css';
import { Icon } from './icon.js';

interface BannerProps {
  readonly tone: 'info' | 'good' | 'warn' | 'bad';
  readonly title?: string;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}

/** Message about everything below it. */
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
