/** What nameservers answer of a secondary zone: what its primary said, or that they cannot (ADR 0040). */
export type SecondaryState = 'answered' | 'withheld';

/** Instead of an apex version (migration 0037). */
export const APEX_OF_SECONDARY: Readonly<Record<SecondaryState, number>> = {
  answered: 2_147_483_647,
  withheld: 2_147_483_646,
};

/** Undefined: it is no secondary zone. */
export function secondaryState(apexVersion: number | null | undefined): SecondaryState | undefined {
  if (apexVersion === APEX_OF_SECONDARY.answered) return 'answered';
  return apexVersion === APEX_OF_SECONDARY.withheld ? 'withheld' : undefined;
}
