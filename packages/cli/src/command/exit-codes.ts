import { EXIT as COMMON } from '@zonewright/terminal';

/** Exit codes. docs/reference/cli.md documents them. */
export const EXIT = {
  ...COMMON,
  /** Not logged in, or not allowed. */
  refused: 6,
  /** Done, but not every nameserver that runs answers with it yet. */
  notPublished: 7,
  /** Nothing is wrong, and something would change. */
  pending: 8,
  /** 128 and SIGINT, as shells have it. */
  interrupted: 130,
} as const;
