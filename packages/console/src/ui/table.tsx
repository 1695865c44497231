import type { ReactNode } from 'react';
import styles from './table.module.css';

export interface Column<T> {
  readonly title: string;
  readonly cell: (row: T) => ReactNode;
  /** Aligns numbers to the right. */
  readonly isNumber?: boolean;
}

interface TableProps<T> {
  /** For those who hear it. */
  readonly caption: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string | number;
}

/** A short table; on a small screen each row is a card. Long lists have grids of their own. */
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
