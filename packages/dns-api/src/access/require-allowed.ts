import { isInNetworks, ServiceError } from '@zonewright/service-kit';
import { type Caller, isOperator } from '@zonewright/zones';

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
  // Nameservers may call only operations for nameservers, which no other caller may call.
  if ((tenantId === NO_TENANT) !== (operation.access === 'nameserver')) {
    throw new ServiceError(
      'forbidden',
      'Only nameservers may use this operation, and they may use no other.',
    );
  }
  if (operation.access === 'key' && key?.rules === undefined) {
    const message =
      'This operation needs an access key whose restrictions name the records that it may change.';
    throw new ServiceError('forbidden', message);
  }
  if (key === undefined) return;
  if (!isInNetworks(source, key.networks)) {
    const message = 'The access key of this token is not allowed from this address.';
    throw new ServiceError('unauthenticated', message);
  }
  const isAllowed =
    key.rules === undefined ? operation.access === 'tenant' : operation.restricted === 'by-rules';
  if (isAllowed) return;
  const message = 'The restrictions of this access key never allow this operation.';
  throw new ServiceError('forbidden', message);
}

/** @throws ServiceError `forbidden` unless the caller runs this service. */
export function requireOperator(caller: Caller, operatorRoles: readonly string[]): void {
  if (isOperator(caller, operatorRoles)) return;
  throw new ServiceError(
    'forbidden',
    `Only operators of this service may do this; they have the role ${operatorRoles.join(' or ')}.`,
  );
}

/** The form of a token in a header that is passed on. Its limit exceeds every token of the identity service. */
const TOKEN_FORM = /^[\x21-\x7e]{1,4096}$/;

/** Returns the token in a request's X-Auth-Token (DNS API, section 5). */
export function readToken(header: string | string[] | undefined): string {
  if (header === undefined || header === '') {
    throw new ServiceError(
      'unauthenticated',
      'The header X-Auth-Token is missing; set it to a token from the identity service.',
    );
  }
  // Node joins repeated headers. The result does not match the form either.
  if (typeof header !== 'string' || !TOKEN_FORM.test(header)) {
    throw new ServiceError(
      'unauthenticated',
      'The header X-Auth-Token does not contain a valid token.',
    );
  }
  return header;
}

/** A role on an account domain. Its token, which has no tenant, may relay updates and nothing else. */
export const NAMESERVER_ROLE = 'nameserver';
/** The tenant id of a token without a tenant; no tenant has this id. */
export const NO_TENANT = '';
