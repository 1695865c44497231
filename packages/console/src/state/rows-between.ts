/** The rows from one place to another, whichever comes first, with both. */
export function rowsBetween<T>(rows: readonly T[], one: number, other: number): readonly T[] {
  return rows.slice(Math.min(one, other), Math.max(one, other) + 1);
}
