/** The row identities under which secret columns are sealed (Keyring.seal): one rule for all who write them. */
export const secretIdentity = {
  accessKey: (accessKeyId: string) => `identity.access_keys.secret:${accessKeyId}`,
  tsigKey: (keyId: string) => `dns.tsig_keys.secret:${keyId}`,
  signingKey: (keyId: string) => `identity.signing_keys.secret:${keyId}`,
} as const;
