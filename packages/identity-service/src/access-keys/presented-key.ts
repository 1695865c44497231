import {
  type Access,
  admitByKey,
  forbidden,
  isService,
  type PresentedKey,
} from '@zonewright/accounts';
import { ServiceError } from '@zonewright/service-kit';
import type { Context } from '../context/context.js';
import { answer } from '../http/lists.js';
import type { ApiRequest, ApiResponse, Caller } from '../http/route.js';
import { renderHolder } from '../representation/v3-token.js';
import { PRESENTED_KEY } from '../schemas/administration-requests.js';

/**
 * POST /v3/internal/access-keys/verify: the owner of an access key that was presented to another service by a program
 * without a login. It is limited like a login: a wrong key counts against its network, a correct one for its user and
 * tenant.
 *
 * @throws ServiceError (rate-limited)
 */
export async function checkPresentedKey(
  context: Context,
  { body, audit }: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  requireService(caller);
  const { id: accessKeyId, secret: secretKey, source } = PRESENTED_KEY.read(body);
  audit.note({ accessKeyId });
  context.limits.checkSource('authenticate', source);
  const access = await findHolder(context, { accessKeyId, secretKey, source });
  if (access === undefined) {
    await context.limits.consumeForSource('authenticate', source);
    return answer(200, renderHolder(undefined));
  }
  const { account, tenant } = access;
  await context.limits.consume('authenticate', JSON.stringify(['shown', account.id, tenant?.id]));
  return answer(200, renderHolder(access));
}

async function findHolder(context: Context, shown: PresentedKey): Promise<Access | undefined> {
  try {
    return await admitByKey(context, shown);
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'unauthenticated') return undefined;
    throw error;
  }
}

/** @throws ServiceError forbidden */
export function requireService({ account, restriction }: Caller): void {
  if (!isService(account) || restriction !== undefined) throw forbidden();
}
