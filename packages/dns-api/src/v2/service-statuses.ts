import { ServiceError } from '@zonewright/service-kit';
import { listServers, type ObservedNameserver, observeNameservers } from '@zonewright/zones';
import type { Context } from '../context/context.js';
import type { Process } from '../context/processes.js';
import type { Operation } from '../http/operation.js';
import { jsonReply } from '../http/reply.js';
import { describeList, type ListForm, readListQuery, unknownMarker } from './http/list-query.js';
import { ofV2 } from './http/operation.js';
import { linkOf, listReply } from './http/reply.js';
import type { ProjectRequest } from './http/request.js';

const LIST: ListForm<'hostname' | 'service_name' | 'status', 'hostname'> = {
  filters: ['hostname', 'service_name', 'status'],
  sortKeys: ['hostname'],
};

/**
 * The list contains only nameservers, since this service cannot observe the state of others. A service that answers the
 * request is up.
 */
export const SERVICE_STATUS_OPERATIONS: readonly Operation[] = ofV2([
  {
    id: 'listServiceStatuses',
    name: 'List Service Statuses (v2)',
    method: 'GET',
    path: '/service_statuses',
    access: 'operator',
    body: 'none',
    answers: 'ServiceStatusesV2',
    query: describeList(LIST),
    handle: async (context, request) => {
      const { filters, limit, marker, isDescending } = readListQuery(request.query, LIST);
      const statuses = (await listStatuses(context, request))
        .toSorted(byHostname)
        .filter((status) => LIST.filters.every((name) => isLike(filters[name], status[name])));
      const ordered = isDescending ? statuses.toReversed() : statuses;
      const at = ordered.findIndex(({ id }) => id === marker);
      if (marker !== undefined && at === -1) throw unknownMarker(marker);
      const page = {
        items: ordered.slice(at + 1, at + 1 + limit),
        isCut: ordered.length > at + 1 + limit,
        totalCount: ordered.length,
      };
      return await listReply(request, 'service_statuses', page, (status) => status);
    },
  },
  {
    id: 'getServiceStatus',
    name: 'Show Service Status (v2)',
    method: 'GET',
    path: '/service_statuses/{service_id}',
    access: 'operator',
    body: 'none',
    answers: 'ServiceStatusV2',
    handle: async (context, request) => {
      const id = request.params['service_id']?.toLowerCase();
      const status = (await listStatuses(context, request)).find((each) => each.id === id);
      if (status !== undefined) return jsonReply(status);
      throw new ServiceError('not-found', 'There is no service with this id.', {
        details: { type: 'service_status_not_found' },
      });
    },
  },
]);

/** Lists the processes of the installation as services of Designate. */
async function listStatuses(context: Context, request: ProjectRequest) {
  const [servers, processes] = await Promise.all([
    listIdentified(context),
    Promise.all(context.processes.map((each) => renderProcess(request, each))),
  ]);
  return [...processes, ...servers.map((server) => renderServiceStatus(request, server))];
}

type ServiceStatus = Awaited<ReturnType<typeof listStatuses>>[number];

function byHostname(one: ServiceStatus, other: ServiceStatus): number {
  if (one.hostname === other.hostname) return one.service_name < other.service_name ? -1 : 1;
  return one.hostname < other.hostname ? -1 : 1;
}

/** A process is UP if it responds now. */
async function renderProcess(request: ProjectRequest, { id, name, host, check }: Process) {
  const isUp = await check().then(
    () => true,
    () => false,
  );
  return {
    id,
    service_name: name,
    hostname: host,
    status: isUp ? ('UP' as const) : ('DOWN' as const),
    stats: {},
    capabilities: {},
    heartbeated_at: isUp ? new Date().toISOString().replace(/Z$/, '000') : null,
    created_at: null,
    updated_at: null,
    links: linkOf(request, `service_statuses/${id}`),
  };
}

async function listIdentified({ db, publication }: Context): Promise<IdentifiedNameserver[]> {
  const observed = await observeNameservers(db, publication.statuses);
  const servers = new Map((await listServers(db)).map((server) => [server.name, server]));
  return observed.flatMap((nameserver) => {
    const server = servers.get(nameserver.name);
    return server === undefined ? [] : [{ ...server, ...nameserver }];
  });
}

function isLike(filter: string | undefined, text: string): boolean {
  return filter === undefined || filter.toLowerCase() === text.toLowerCase();
}

/** A nameserver, with its id in the list of servers. */
interface IdentifiedNameserver extends ObservedNameserver {
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string | null;
}

/** Renders a nameserver as a service of Designate. */
function renderServiceStatus(request: ProjectRequest, server: IdentifiedNameserver) {
  const { id, name, lagMs, report, createdAt, updatedAt } = server;
  return {
    id,
    service_name: 'nameserver',
    hostname: name,
    status: statusOf(server),
    stats:
      report === undefined
        ? {}
        : {
            zones: String(report.zones),
            failed_zones: String(Object.keys(report.failedZones).length),
            lag_ms: String(Math.round(lagMs ?? 0)),
          },
    capabilities:
      report === undefined ? {} : { software: report.software, version: report.version },
    heartbeated_at: report?.heartbeatAt ?? null,
    created_at: createdAt,
    updated_at: updatedAt,
    links: linkOf(request, `service_statuses/${id}`),
  };
}

/** UP if the nameserver reports its status and has all zones. */
function statusOf({ isLive, report }: ObservedNameserver): 'UP' | 'DOWN' | 'WARNING' {
  if (!isLive || report === undefined) return 'DOWN';
  return Object.keys(report.failedZones).length > 0 ? 'WARNING' : 'UP';
}
