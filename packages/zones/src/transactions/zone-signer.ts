import type { Rrset } from '@zonewright/dns-records/dnssec';

/** Records that are to be signed. */
export interface RrsetToSign {
  /** Wire form. */
  readonly owner: Uint8Array;
  readonly rrset: Rrset;
}

/** A zone that is to be signed, and what the one who asks knows of its keys. */
export interface SignedZone {
  readonly id: string;
  /** Version of the keys in its rows (keyVersion). The signer uses no other keys. */
  readonly keyVersion: string;
}

/** Signer that has the keys of zones. */
export interface ZoneSigner {
  /**
   * The rdata of the RRSIGs of each, in their order: one for each key that signs it.
   *
   * @throws ServiceError `unavailable`
   */
  sign(
    zone: SignedZone,
    items: readonly RrsetToSign[],
  ): Promise<readonly (readonly Uint8Array[])[]>;
}
