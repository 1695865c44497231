import { isUuid, ServiceError } from '@zonewright/service-kit';
import { asOwner } from '@zonewright/zones';
import type { Context } from '../../context/context.js';
import type { Operation, TenantRequest } from '../../http/operation.js';
import type { ApiReply } from '../../http/reply.js';
import { actForProject, type ProjectRequest } from './request.js';

type Guarded = Exclude<Operation, { access: 'public' | 'key' }>;

/** Operation of v2. Its path is relative to `/v2`. */
export type V2Operation = Omit<Guarded, 'handle'> & {
  /** Whether projects with which the zone is shared may perform the operation. */
  readonly isShared?: true;
  readonly handle: (context: Context, request: ProjectRequest) => Promise<ApiReply>;
};

/**
 * Converts operations of v2 to operations of the API: adds the version to the path, and the behaviour that is common to
 * v2.
 */
export function ofV2(operations: readonly V2Operation[]): Operation[] {
  return operations.map((operation) => ({
    ...operation,
    path: `/v2${operation.path}`,
    faults: [...(operation.faults ?? []), ...(uuidsOf(operation).length > 0 ? [400 as const] : [])],
    handle: async (context: Context, request: TenantRequest) => {
      requireUuids(operation, request.params);
      const acting = await actForProject(context, request);
      return operation.isShared === true
        ? await handleShared(context, operation, acting)
        : await operation.handle(context, acting);
    },
  }));
}

/** Handles the request as the owner if the zone is shared with the project. The budgets of the project are used. */
async function handleShared(
  context: Context,
  operation: V2Operation,
  request: ProjectRequest,
): Promise<ApiReply> {
  const { tenantId } = request.caller;
  return await asOwner(context.db, request.caller, request.params['zone_id'] ?? '', (caller) =>
    operation.handle(
      context,
      caller.tenantId === tenantId ? request : { ...request, caller, payerTenantId: tenantId },
    ),
  );
}

/**
 * Path parameters with a UUID. A parameter is the id of an object of this service unless its operation describes it.
 */
function uuidsOf({ path, params: described = {} }: V2Operation): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)]
    .map(([, name = '']) => name)
    .filter((name) => described[name] === undefined);
}

function requireUuids(operation: V2Operation, params: Readonly<Record<string, string>>): void {
  const path = uuidsOf(operation).find((name) => !isUuid(params[name] ?? ''));
  if (path === undefined) return;
  const value = params[path] ?? '';
  const said = `${path} is ${JSON.stringify(value)}; ids are UUIDs, such as a86dba58-0043-4cc6-a1bb-69d5e86f3ca3.`;
  const problems = [{ path, validator: 'format', message: said }];
  // Designate's words, which clients compare; errors has the longer sentence.
  throw new ServiceError('invalid', `Invalid UUID ${path}: ${value}`, {
    details: { problems, type: 'invalid_uuid' },
  });
}
