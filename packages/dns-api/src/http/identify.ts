import { type Exchange, sourceAddress } from '@zonewright/http-api';
import { ServiceError, sourceNetwork } from '@zonewright/service-kit';
import type { Caller } from '@zonewright/zones';
import { readToken, requireAllowed, requireOperator } from '../access/require-allowed.js';
import type { HeldToken } from '../access/token-validator.js';
import type { Context } from '../context/context.js';
import type { KeyOperation, Operation, TenantRequest } from './operation.js';

type Who = Pick<TenantRequest, 'caller' | 'holdToken'>;
type Guarded = Exclude<Operation, { access: 'public' }>;

/**
 * Returns the caller. The request does not occupy a slot while the token is validated. @throws ServiceError, Overload
 */
export async function identify(
  context: Context,
  operation: Guarded,
  exchange: Exchange,
): Promise<Who> {
  const source = sourceAddress(exchange.request, context.settings.http);
  const shown =
    operation.access === 'key'
      ? await identifyByKey(context, operation, { exchange, source })
      : await identifyByToken(context, { exchange, source });
  const { caller, hold } = shown;
  const { tenantId, userId, key } = caller;
  exchange.logged['tenantId'] = tenantId;
  Object.assign(exchange.audited, { userId, tenantId, ...(key && { accessKeyId: key.id }) });
  requireAllowed(caller, operation, source);
  const { operatorRoles, cloudAdminRoles } = context.settings.access;
  if (operation.access === 'operator') requireOperator(caller, operatorRoles);
  if (operation.access === 'cloud-admin') requireOperator(caller, cloudAdminRoles);
  const holdToken = async () => {
    const held = await hold();
    requireAllowed(held.caller, operation, source);
    return held;
  };
  return { caller, holdToken };
}

interface Arrival {
  readonly exchange: Exchange;
  readonly source: string;
}

interface Shown {
  readonly caller: Caller;
  readonly hold: () => Promise<HeldToken>;
}

async function identifyByToken({ tokens }: Context, { exchange, source }: Arrival): Promise<Shown> {
  const token = readToken(exchange.request.headers['x-auth-token']);
  const network = sourceNetwork(source);
  const caller = await tokens.validate(token, network);
  return { caller, hold: () => tokens.hold(token, network) };
}

async function identifyByKey(
  { keys }: Context,
  { readKey }: KeyOperation,
  { exchange, source }: Arrival,
): Promise<Shown> {
  const key = readKey(exchange.request.headers);
  if (key === undefined)
    throw new ServiceError('unauthenticated', 'The request has no access key.');
  exchange.audited['accessKeyId'] = key.id;
  if (keys === undefined) throw new ServiceError('unavailable', 'No identity service.');
  const caller = await keys.check(key, source);
  // Programs send the key with each request, so a response never stays open.
  const hold = () =>
    Promise.reject(new ServiceError('unauthenticated', 'The request has no token.'));
  return { caller, hold };
}
