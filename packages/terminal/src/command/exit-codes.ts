/** Exit codes of all commands. The README of each command documents them. */
export const EXIT = {
  ok: 0,
  /** Anything that is not one of the others. */
  failed: 1,
  /** The command line, what was given to it, or a setting is wrong: mend it. */
  usage: 2,
  notFound: 3,
  conflict: 4,
  /** A service is not available. Try again later. */
  unavailable: 5,
} as const;
