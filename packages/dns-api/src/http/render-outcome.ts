import type { Problem } from '@zonewright/service-kit';

/**
 * How an answer with a plan begins. A dry run says whether it would be done, or refused and why; `refusal` is undefined where
 * it was done.
 */
export function renderOutcome(refusal: readonly Problem[] | undefined) {
  if (refusal === undefined) return { dry_run: false };
  const outcome = refusal.length > 0 ? 'would_refuse' : 'would_apply';
  return { dry_run: true, outcome, errors: refusal };
}
