import type { Timestamp } from '../rows/statements.js';
import type { Secondary } from './secondary.js';
import { actionFor, type FaultReason, toFaultReason } from './transfer-fault.js';

/** What nameservers answer a secondary zone with; with SERVFAIL where it has expired or nothing has come. */
export const SERVED_CONTENTS = ['latest', 'stale', 'expired', 'none'] as const;

/** How a zone comes from its primaries, and what has to be done. */
export interface TransferState {
  readonly content: (typeof SERVED_CONTENTS)[number];
  /** These three are null while nothing is wrong. */
  readonly reason: FaultReason | null;
  readonly problem: string | null;
  readonly action: string | null;
  /** When a primary last confirmed what is answered. */
  readonly refreshedAt: Timestamp | null;
}

type Numbers = Pick<Secondary, 'state' | 'problem' | 'reason' | 'transferredAt' | 'refreshedAt'>;

export function transferStateOf(secondary: Numbers): TransferState {
  const { problem, refreshedAt } = secondary;
  const reason = toFaultReason(secondary.reason);
  return {
    content: contentOf(secondary),
    reason,
    problem,
    action: reason === null ? null : actionFor(reason),
    refreshedAt,
  };
}

function contentOf({ state, problem, transferredAt }: Numbers): TransferState['content'] {
  if (state === 'answered') return problem === null ? 'latest' : 'stale';
  return transferredAt === null ? 'none' : 'expired';
}
