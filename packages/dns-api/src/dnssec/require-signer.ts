import { ServiceError } from '@zonewright/service-kit';
import type { Context } from '../context/context.js';

/** @throws ServiceError `unavailable` where nothing can be signed */
export function requireSigner({ signer }: Context): void {
  if (signer !== undefined) return;
  throw new ServiceError('unavailable', 'This service signs no domains: it has no SIGNER_URL.');
}
