import { type Access, describeAccess } from '../validation/access.js';
import type { TokenServices } from '../services/token-services.js';
import type { Admission } from './admission.js';

/** What a token of somebody who shows an access key would say; there is none. */
export async function describeAdmission(
  services: Pick<TokenServices, 'clock' | 'directory'>,
  { account, tenant, accessKey }: Admission,
): Promise<Access> {
  const now = new Date(services.clock.now());
  return await describeAccess(services, {
    id: '',
    claims: { method: 'accessKey', issuedAt: now, expiresAt: now },
    account,
    tenant,
    restriction: accessKey?.restriction,
  });
}
