import { type Access, describeAccess } from '../validation/access.js';
import type { Admission } from './admission.js';
import type { VerifiedKey } from '../credentials/credential-verifier.js';
import type { Credentials } from '../credentials/credentials.js';
import { TOKEN_LIFETIME_MS } from '../claims/token-claims.js';
import { nameLogin, nameLoginByKey } from '../claims/token-lineage.js';
import type { TokenServices } from '../services/token-services.js';

/** A new token for whom credentials have let in (Identity s4, Authenticate). */
export async function issueToken(
  services: TokenServices,
  { account, tenant, accessKey }: Admission,
  method: Credentials['method'],
): Promise<Access> {
  const issuedAt = new Date(services.clock.now());
  // As they were when the credentials were right, whatever has changed since.
  const { credentialGeneration } = account;
  const { tokenFamily, restriction } = accessKey ?? {};
  if (accessKey !== undefined) services.accessKeyUses.note(accessKey.id);
  const { id, claims } = await services.signer.sign({
    jti:
      tokenFamily === undefined
        ? nameLogin(credentialGeneration)
        : nameLoginByKey(tokenFamily, credentialGeneration),
    userId: account.id,
    tenantId: tenant?.id,
    method,
    issuedAt,
    expiresAt: expiryOf(issuedAt, accessKey),
    restrictionNumber: restriction?.number,
  });
  return await describeAccess(services, { id, claims, account, tenant, restriction });
}

/** A restricted key's tokens end with it at the latest. */
function expiryOf(issuedAt: Date, accessKey: VerifiedKey | undefined): Date {
  const usual = issuedAt.getTime() + TOKEN_LIFETIME_MS;
  return accessKey?.restriction === undefined
    ? new Date(usual)
    : new Date(Math.min(usual, accessKey.validTo.getTime()));
}
