import type { SigningAlgorithm } from '@zonewright/dns-records/dnssec';

/** How far a zone is on its way to being signed, or back (migration 0036). No state: unsigned. */
export type SigningState = 'signing' | 'signed' | 'leaving' | 'unsigning';

/** Whether the zone is served with signatures. */
export function isServedSigned(
  state: SigningState | null,
): state is Exclude<SigningState, 'signing'> {
  return state !== null && state !== 'signing';
}

export type KeyState = 'published' | 'active' | 'retiring' | 'removed';

/** A key of a zone, without its secret. */
export interface ZoneKey {
  readonly id: string;
  readonly algorithm: SigningAlgorithm;
  readonly flags: number;
  readonly keyTag: number;
  /** As DNSKEY has it. */
  readonly publicKey: Buffer;
  readonly state: KeyState;
  readonly publishedAt: Date;
  readonly activeAt: Date | null;
  readonly dsSeenAt: Date | null;
  readonly retireAt: Date | null;
}
