import { invalidRequest, type Problem } from '@zonewright/service-kit';

/** Tenant ids of the identity service, created or imported: up to 64 visible characters. */
const TENANT_ID = /^[^\p{C}\s]{1,64}$/u;

/**
 * Reads the id of another tenant. Whether it exists only the identity service could say.
 *
 * @param problems other problems of the request
 * @throws ServiceError `invalid` with all problems
 */
export function readTenantId(path: string, value: unknown, problems: readonly Problem[]): string {
  const isRight = typeof value === 'string' && TENANT_ID.test(value);
  if (isRight && problems.length === 0) return value;
  const message = `${path} must be the id of a project: 1 to 64 characters without spaces.`;
  throw invalidRequest([...problems, ...(isRight ? [] : [{ path, validator: 'format', message }])]);
}
