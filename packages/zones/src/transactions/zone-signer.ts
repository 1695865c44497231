import type { Rrset } from '@zonewright/dns-records/dnssec';

/** Records that are to be signed. */
export interface RrsetToSign {
  /** Wire form. */
  readonly owner: Uint8Array;
  readonly rrset: Rrset;
}

/** Who has the keys of zones. */
export interface ZoneSigner {
  /**
   * The rdata of the RRSIGs of each, in their order: one for each key that signs it.
   *
   * @throws ServiceError `unavailable`
   */
  sign(zoneId: string, items: readonly RrsetToSign[]): Promise<readonly (readonly Uint8Array[])[]>;
}
