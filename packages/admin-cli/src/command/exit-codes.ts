import type { ErrorKind } from '@zonewright/service-kit';

/** What the command ends with; documented in the package's README. */
export const EXIT = {
  ok: 0,
  /** Anything that is not one of the others. */
  failed: 1,
  /** The command line, what was given to it, or a setting is wrong: mend it. */
  usage: 2,
  notFound: 3,
  conflict: 4,
  /** PostgreSQL is away: try again later. */
  unavailable: 5,
} as const;

/** The kinds of failure that have an exit code of their own. */
export const EXIT_OF_KIND: Readonly<Partial<Record<ErrorKind, number>>> = {
  invalid: EXIT.usage,
  'not-found': EXIT.notFound,
  conflict: EXIT.conflict,
  unavailable: EXIT.unavailable,
};
