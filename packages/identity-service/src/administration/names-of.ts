/** Which members of a change were given: for the audit log, which holds none of the values. */
export function namesOf(change: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(change).filter((name) => change[name] !== undefined);
}
