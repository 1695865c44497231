import {
  listServers,
  type ObservedNameserver,
  observeNameservers,
  type StatusReport,
} from '@zonewright/zones';
import { readFlag } from '../http/members.js';
import type { Operation } from '../http/operation.js';
import { FLAG } from '../http/parameters.js';
import { jsonReply } from '../http/reply.js';

export const NAMESERVER_OPERATIONS: readonly Operation[] = [
  {
    id: 'listNameservers',
    name: 'List Nameservers',
    method: 'GET',
    path: '/v1/nameservers',
    access: 'operator',
    body: 'none',
    answers: 'Nameservers',
    handle: async ({ db, publication }) => {
      const nameservers = await observeNameservers(db, publication.statuses);
      return jsonReply({ nameservers: nameservers.map(renderNameserver) });
    },
  },
];

/** Renders every member; null if the value is unknown. */
function renderNameserver({ name, ipv4, ipv6, isLive, lagMs, report }: ObservedNameserver) {
  return {
    name,
    ipv4,
    ipv6,
    live: isLive,
    lag_ms: lagMs === undefined ? null : Math.round(lagMs),
    ...(report === undefined ? NOTHING_REPORTED : renderReport(report)),
  };
}

function renderReport(report: StatusReport) {
  return {
    address: report.address,
    software: report.software,
    version: report.version,
    position: report.appliedBefore,
    heartbeat_age_ms: Math.round(report.heartbeatMsAgo),
    zones: report.zones,
    failed_zones: Object.keys(report.failedZones).length,
    image_bytes: report.imageOctets,
    started_at: report.startedAt,
    applied_at: report.appliedAt,
    heartbeat_at: report.heartbeatAt,
  };
}

const NOTHING_REPORTED: Readonly<Record<keyof ReturnType<typeof renderReport>, null>> = {
  address: null,
  software: null,
  version: null,
  position: null,
  heartbeat_age_ms: null,
  zones: null,
  failed_zones: null,
  image_bytes: null,
  started_at: null,
  applied_at: null,
  heartbeat_at: null,
};

export const SERVER_OPERATIONS: readonly Operation[] = [
  {
    id: 'listServersOfDomain',
    name: 'Get Servers Hosting a Domain',
    method: 'GET',
    path: '/v1/domains/{domainId}/servers',
    access: 'tenant',
    restricted: 'by-rules',
    body: 'none',
    answers: 'Servers',
    query: { extended: FLAG },
    handle: async ({ db, zones }, { caller, params, query }) => {
      const isExtended = readFlag(query, 'extended');
      await zones.get(caller, params['domainId'] ?? '');
      const servers = await listServers(db);
      return jsonReply({
        servers: servers.map(({ id, name, ipv4, ipv6, createdAt, updatedAt }) => ({
          id,
          name,
          created_at: createdAt,
          updated_at: updatedAt,
          ...(isExtended ? { ipv4, ipv6 } : {}),
        })),
      });
    },
  },
];
