import { changeQuota, clearQuota, getLimits, getQuota, type UnitOfWork } from '@zonewright/zones';
import { requireOperator } from '../../access/require-operator.js';
import type { Context } from '../../context/context.js';
import type { Operation } from '../../http/operation.js';
import { jsonReply } from '../../http/reply.js';
import { ofV2 } from '../http/operation.js';
import type { ProjectRequest } from '../http/project-request.js';
import { noContentReply } from '../http/reply.js';
import { writeV2 } from '../http/write.js';
import { readQuotaChange } from './quota-form.js';

const ONE = '/quotas/{projectId}';
const PROJECT = { projectId: { type: 'string' } };

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
  return params['projectId'] ?? '';
}

/** Quotas of the project, with the defaults of the service. */
async function renderQuotas({ settings }: Context, db: UnitOfWork['trx'], tenantId: string) {
  const limits = await getLimits(db, tenantId, settings.rules);
  const { maxExportRecords } = await getQuota(db, tenantId);
  return {
    zones: limits.maxDomains,
    zone_records: limits.maxDomainRecords,
    zone_recordsets: limits.maxDomainRecords,
    recordset_records: limits.maxRecordsetRecords,
    // All that a zone can have.
    api_export_size: maxExportRecords ?? limits.maxDomainRecords,
  };
}
