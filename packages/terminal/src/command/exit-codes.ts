/** What a command ends with; documented in the README of each. Those of one command alone stand there. */
export const EXIT = {
  ok: 0,
  /** Anything that is not one of the others. */
  failed: 1,
  /** The command line, what was given to it, or a setting is wrong: mend it. */
  usage: 2,
  notFound: 3,
  conflict: 4,
  /** What it needs is away: try again later. */
  unavailable: 5,
} as const;
