import { restrictionOf } from '../../restrictions/restriction-store.js';
import type { Access } from '../validation/access.js';
import { bindScope } from './bind-scope.js';
import { describeAdmission } from './describe-admission.js';
import type { TokenServices } from '../services/token-services.js';
import type { SignedRequest } from '../credentials/signed-request.js';
import type { TsigFault } from '@zonewright/dns-records';

/** Who signed a message, and may do what for which tenant. */
export type TsigAdmission =
  | { readonly fault: TsigFault; readonly access?: undefined; readonly accessKeyId?: undefined }
  | {
      readonly fault?: undefined;
      readonly accessKeyId: string;
      /** Undefined: the key is right, but of no use for this tenant, or from there. */
      readonly access: Access | undefined;
    };

/** As `admit` does for whoever logs in, by a message that is signed with an access key; there is no token. */
export async function admitByTsig(
  services: TokenServices,
  request: SignedRequest,
  { tenantId, source }: { readonly tenantId: string | undefined; readonly source: string },
): Promise<TsigAdmission> {
  const { fault, found } = await services.tsigVerifier.verify(request, tenantId);
  if (fault !== undefined || found === undefined) return { fault: fault ?? 'BADKEY' };
  const { key, owner, tenant } = found;
  services.accessKeyUses.note(key.id);
  const { id: accessKeyId, validTo, tokenFamily } = key;
  const accessKey = { id: accessKeyId, validTo, tokenFamily, restriction: restrictionOf(key) };
  const admission =
    tenant &&
    (await bindScope(
      services,
      { account: owner, tenant, accessKey },
      {
        credentials: { method: 'accessKey', accessKeyId, secretKey: '' },
        scope: { id: tenant.id },
        source,
      },
    ));
  return { accessKeyId, access: admission && (await describeAdmission(services, admission)) };
}
