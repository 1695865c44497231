import { admitByTsig, readSignedRequest } from '@zonewright/accounts';
import { answer } from '../administration/list.js';
import type { Context } from '../context/context.js';
import type { ApiRequest, ApiResponse, Caller } from '../http/route.js';
import { renderSigner } from '../representation/render-signer.js';
import { TSIG_CHECK } from '../schemas/administration-requests.js';
import { requireService } from './require-service.js';

/**
 * POST /v3/internal/tsig/verify: who signed a message, for a tenant. Wrong keys and MACs count for the network that they came
 * from, as wrong secret keys do.
 *
 * @throws ServiceError (rate-limited) for a network with too many of them
 */
export async function checkTsig(
  context: Context,
  { body, audit }: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  requireService(caller);
  const { message, source, tenant_id: tenantId } = TSIG_CHECK.read(body);
  context.limits.checkSource('tsig', source);
  const request = readSignedRequest(message);
  const { fault, accessKeyId, access } = await admitByTsig(context, request, { tenantId, source });
  if (fault !== undefined) {
    if (fault !== 'BADTIME') await context.limits.consumeForSource('tsig', source);
    return answer(200, { fault });
  }
  audit.note({ accessKeyId, tenantId });
  return answer(200, renderSigner(accessKeyId, access));
}
