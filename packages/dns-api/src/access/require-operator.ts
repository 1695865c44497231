import { ServiceError } from '@zonewright/service-kit';
import type { Caller } from '@zonewright/zones';

/** @throws ServiceError `forbidden` unless the caller runs this service. */
export function requireOperator({ roles }: Caller, operatorRoles: readonly string[]): void {
  if (roles.some((role) => operatorRoles.includes(role))) return;
  throw new ServiceError(
    'forbidden',
    `Only operators of this service may do that; they have the role ${operatorRoles.join(' or ')}.`,
  );
}
