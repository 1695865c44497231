import type { ReactNode } from 'react';
import styles from './selection-bar.module.css';

interface SelectionBarProps {
  /** How many; said again when it changes. */
  readonly text: string;
  /** Of the bar, for those who hear it; the text unless given. */
  readonly label?: string;
  readonly isWaiting?: boolean;
  readonly children: ReactNode;
}

/** What can be done with all that are selected, or that wait: stays in sight. */
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
