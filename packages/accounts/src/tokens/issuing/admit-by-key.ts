import type { Access } from '../validation/access.js';
import type { TokenServices } from '../services/token-services.js';
import { admit, type PasswordGuard } from './admit.js';
import { describeAdmission } from './describe-admission.js';

/** An access key as it was shown to another service, and the address from which it was. */
export interface ShownKey {
  readonly accessKeyId: string;
  readonly secretKey: string;
  readonly source: string;
}

const NO_PASSWORDS: PasswordGuard = {
  check: () => Promise.resolve(),
  attempt: () => Promise.resolve(false),
};

/**
 * As `admit` does for whoever logs in with an access key; there is no token. Only a restricted key says for which tenant it is.
 *
 * @throws ServiceError unauthenticated
 */
export async function admitByKey(
  services: TokenServices,
  { accessKeyId, secretKey, source }: ShownKey,
): Promise<Access> {
  const credentials = { method: 'accessKey', accessKeyId, secretKey } as const;
  const admission = await admit(services, { credentials, scope: undefined, source }, NO_PASSWORDS);
  services.accessKeyUses.note(accessKeyId);
  return await describeAdmission(services, admission);
}
