import type { ObservedNameserver, StatusReport } from '@zonewright/zones';

/** Every member, null where nothing is known. */
export function renderNameserver({ name, ipv4, ipv6, isLive, lagMs, report }: ObservedNameserver) {
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
