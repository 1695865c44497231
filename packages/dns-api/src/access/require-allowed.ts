import { isInNetworks, ServiceError } from '@zonewright/service-kit';
import { NO_TENANT } from './nameserver-caller.js';
import type { Caller } from '@zonewright/zones';

/** Access rules of an operation. */
interface Guarded {
  readonly access: string;
  readonly restricted?: 'by-rules';
}

/**
 * Checks the restrictions of an access key before any work. The rules themselves apply where zones and records are read and written.
 *
 * @throws ServiceError `unauthenticated` from a network that the key does not allow, `forbidden` for an operation that no
 *   rule can allow.
 */
export function requireAllowed(
  { key, tenantId }: Caller,
  operation: Guarded,
  source: string,
): void {
  // Nameservers may call one operation, which nobody else may call.
  if ((tenantId === NO_TENANT) !== (operation.access === 'nameserver')) {
    throw new ServiceError('forbidden', 'This is for nameservers alone, and they have no other.');
  }
  if (operation.access === 'key' && key?.rules === undefined) {
    const message =
      'This takes access keys alone whose restrictions say which records they may write.';
    throw new ServiceError('forbidden', message);
  }
  if (key === undefined) return;
  if (!isInNetworks(source, key.networks)) {
    const message = 'The access key of this token may not be used from this address.';
    throw new ServiceError('unauthenticated', message);
  }
  const isAllowed =
    key.rules === undefined ? operation.access === 'tenant' : operation.restricted === 'by-rules';
  if (isAllowed) return;
  const message =
    'The restrictions of this access key do not let it do that, whatever its rules are.';
  throw new ServiceError('forbidden', message);
}
