import { forbidden, isService } from '@zonewright/accounts';
import type { Caller } from '../http/route.js';

/** @throws ServiceError forbidden */
export function requireService({ account, restriction }: Caller): void {
  if (!isService(account) || restriction !== undefined) throw forbidden();
}
