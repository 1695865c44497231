import type { ReactNode } from 'react';
import styles from './table.module.css';

interface Column<T> {
  readonly title: string;
  readonly cell: (row: T) => ReactNode;
  /** Whether the column is aligned to the right. */
  readonly isNumber?: boolean;
}

interface TableProps<T> {
  /** Caption for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string | number;
}

/** Short table. On a small screen each row is a card. Long lists have their own grids. */
export function Table<T>({ caption, columns, rows, keyOf }: TableProps<T>) {
  return (
    <div className={styles['frame']}>
      <table className={styles['table']}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, isNumber }) => (
              <th
                key={title}
                scope="col"
                className={isNumber === true ? styles['number'] : undefined}
              >
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, cell, isNumber }) => (
                <td
                  key={title}
                  data-title={title}
                  className={isNumber === true ? styles['number'] : undefined}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface SelectionBarProps {
  /** Number of items. Screen readers announce its changes. */
  readonly text: string;
  /** Accessible name of the bar. The default is its text. */
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
