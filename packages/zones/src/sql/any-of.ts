/**
 * SQL for one of the texts of an array, `values`. How many there are the planner is not told: it would find a plan for each call, which takes
 * longer than the call, instead of keeping one.
 */
export function anyOf(values: string): string {
  return `any(cast((select ${values}) as text[]))`;
}
