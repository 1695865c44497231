import { invalidRequest, type Problem } from '@zonewright/service-kit';
import {
  changeQuota,
  clearQuota,
  getLimits,
  getQuota,
  type Quota,
  type UnitOfWork,
} from '@zonewright/zones';
import { requireOperator } from '../access/require-allowed.js';
import type { Context } from '../context/context.js';
import type { Operation } from '../http/operation.js';
import { jsonReply } from '../http/reply.js';
import { ofV2 } from './http/operation.js';
import { noContentReply, writeV2 } from './http/reply.js';
import { type ProjectRequest, readMembers } from './http/request.js';

const ONE = '/quotas/{project_id}';
const PROJECT = { project_id: { type: 'string' } };

export const QUOTA_OPERATIONS: readonly Operation[] = ofV2([
  {
    id: 'getOwnQuotas',
    name: 'Show Quotas (v2)',
    method: 'GET',
    path: '/quotas',
    access: 'tenant',
    body: 'none',
    answers: 'QuotasV2',
    handle: async (context, { caller }) =>
      jsonReply(await renderQuotas(context, context.db, caller.tenantId)),
  },
  {
    id: 'getQuotas',
    name: 'Show Quotas of a Project (v2)',
    method: 'GET',
    path: ONE,
    access: 'tenant',
    body: 'none',
    params: PROJECT,
    answers: 'QuotasV2',
    handle: async (context, request) => {
      const projectId = projectIdOf(request);
      if (projectId !== request.caller.tenantId) {
        requireOperator(request.caller, context.settings.access.cloudAdminRoles);
      }
      return jsonReply(await renderQuotas(context, context.db, projectId));
    },
  },
  {
    id: 'setQuotas',
    name: 'Set Quotas of a Project (v2)',
    method: 'PATCH',
    path: ONE,
    access: 'cloud-admin',
    body: 'json',
    params: PROJECT,
    reads: 'QuotasV2',
    answers: 'QuotasV2',
    handle: async (context, request) =>
      writeV2(context, request, async ({ trx }) => {
        const projectId = projectIdOf(request);
        await changeQuota(trx, projectId, readQuotaChange(request.body));
        return { reply: jsonReply(await renderQuotas(context, trx, projectId)) };
      }),
  },
  {
    id: 'resetQuotas',
    name: 'Reset Quotas of a Project (v2)',
    method: 'DELETE',
    path: ONE,
    access: 'cloud-admin',
    body: 'none',
    params: PROJECT,
    status: 204,
    handle: async (context, request) =>
      writeV2(context, request, async ({ trx }) => {
        await clearQuota(trx, projectIdOf(request));
        return { reply: noContentReply() };
      }),
  },
]);

function projectIdOf({ params }: ProjectRequest): string {
  return params['project_id'] ?? '';
}

/** Quotas of the project, with the defaults of the service. */
async function renderQuotas({ settings }: Context, db: UnitOfWork['trx'], tenantId: string) {
  const limits = await getLimits(db, tenantId, settings.rules);
  const { maxExportRecords } = await getQuota(db, tenantId);
  return {
    zones: limits.maxDomains,
    zone_records: limits.maxDomainRecords,
    zone_recordsets: limits.maxDomainRecordsets,
    recordset_records: limits.maxRecordsetRecords,
    // An export is limited by the maximum size of a zone.
    api_export_size: maxExportRecords ?? limits.maxDomainRecords,
  };
}

/** Quotas by their v2 member. */
const MEMBERS = {
  zones: 'maxDomains',
  zone_records: 'maxDomainRecords',
  zone_recordsets: 'maxDomainRecordsets',
  recordset_records: 'maxRecordsetRecords',
  api_export_size: 'maxExportRecords',
} as const satisfies Readonly<Record<string, keyof Quota>>;

/** Maximum of PostgreSQL's integer. Designate writes -1 for "no limit". */
const UNLIMITED = 2_147_483_647;

type QuotaChange = Partial<Record<(typeof MEMBERS)[keyof typeof MEMBERS], number>>;

/** Reads the body of Set Quotas. @throws ServiceError `invalid` with all problems. */
function readQuotaChange(body: unknown): QuotaChange {
  const { values, problems } = readMembers(body, Object.keys(MEMBERS));
  const all = [...problems, ...checkCounts(values)];
  if (all.length > 0) throw invalidRequest(all);
  return Object.fromEntries(
    Object.entries(values).map(([member, value]) => [
      MEMBERS[member as keyof typeof MEMBERS],
      value === -1 ? UNLIMITED : value,
    ]),
  );
}

function checkCounts(values: Readonly<Record<string, unknown>>): Problem[] {
  return Object.entries(values)
    .filter(([, value]) => !isCount(value))
    .map(([path]) => ({
      path,
      validator: 'type',
      message: `${path} must be an integer from 0 to ${UNLIMITED}, or -1 for no limit.`,
    }));
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= -1 && (value as number) <= UNLIMITED;
}
