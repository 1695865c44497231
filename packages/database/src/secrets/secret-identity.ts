/** The row identities under which secret columns are sealed (Keyring.seal): one rule for all who write them. */
export const secretIdentity = {
  accessKey: (accessKeyId: string) => `identity.access_keys.secret:${accessKeyId}`,
  /**
   * Identity of a key with restrictions. A version that does not support restrictions cannot open it. No change of the
   * row makes it a key without them (ADR 0027).
   */
  restrictedAccessKey: (accessKeyId: string) =>
    `identity.access_keys.secret:restricted:${accessKeyId}`,
  primaryKey: (domainId: string) => `dns.secondaries.secret:${domainId}`,
  peerKey: (peerId: string) => `dns.peers.secret:${peerId}`,
  transferKey: (transferId: string) => `dns.zone_transfers.key:${transferId}`,
  tsigKey: (keyId: string) => `dns.tsig_keys.secret:${keyId}`,
  zoneKey: (keyId: string) => `dns.zone_keys.secret:${keyId}`,
  signingKey: (keyId: string) => `identity.signing_keys.secret:${keyId}`,
} as const;
