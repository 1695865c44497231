import { ServiceError } from '@zonewright/service-kit';
import { type Caller, isOperator } from '@zonewright/zones';

/** @throws ServiceError `forbidden` unless the caller runs this service. */
export function requireOperator(caller: Caller, operatorRoles: readonly string[]): void {
  if (isOperator(caller, operatorRoles)) return;
  throw new ServiceError(
    'forbidden',
    `Only operators of this service may do that; they have the role ${operatorRoles.join(' or ')}.`,
  );
}
