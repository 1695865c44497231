/** Answer of nameservers for a secondary zone: its primary's data, or an error (ADR 0040). */
export type SecondaryState = 'answered' | 'withheld';

/** Values of dns.domains.apex_version for secondary zones. */
export const APEX_OF_SECONDARY: Readonly<Record<SecondaryState, number>> = {
  answered: 2_147_483_647,
  withheld: 2_147_483_646,
};

/** Undefined if the zone is not a secondary one. */
export function secondaryState(apexVersion: number | null | undefined): SecondaryState | undefined {
  if (apexVersion === APEX_OF_SECONDARY.answered) return 'answered';
  return apexVersion === APEX_OF_SECONDARY.withheld ? 'withheld' : undefined;
}
