import type { ReactNode } from 'react';
import styles from './selection-bar.module.css';

interface SelectionBarProps {
  /** How many; said again when it changes. */
  readonly text: string;
  /** Accessible name of the bar. Default: its text. */
  readonly label?: string;
  readonly isWaiting?: boolean;
  readonly children: ReactNode;
}

/** Actions for all selected or collected items. The bar stays visible. */
export function SelectionBar({
  text,
  label = text,
  isWaiting = false,
  children,
}: SelectionBarProps) {
  return (
    <div
      className={`${styles['bar'] ?? ''} ${isWaiting ? (styles['waiting'] ?? '') : ''}`}
      role="region"
      aria-label={label}
    >
      <strong role="status">{text}</strong>
      {children}
    </div>
  );
}
