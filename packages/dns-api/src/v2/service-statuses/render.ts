import type { ObservedNameserver } from '@zonewright/zones';
import { linkOf } from '../http/list-reply.js';
import type { ProjectRequest } from '../http/project-request.js';

/** A nameserver, with the id that it has in the list of servers. */
export interface IdentifiedNameserver extends ObservedNameserver {
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string | null;
}

/** A nameserver as a service of Designate. */
export function renderServiceStatus(request: ProjectRequest, server: IdentifiedNameserver) {
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
