import { type Horizon, isWithin } from '@zonewright/database';
import type { Timestamp } from '../rows/statements.js';
import type { AwaitedChange } from '../rows/zone.js';

/** Time without a report after which requests no longer wait for a nameserver. A nameserver reports each second. */
export const LIVE_MS = 10_000;

export interface StatusReport {
  /** NAMESERVER_NAME of the process. */
  readonly reporter: string;
  readonly address: string;
  readonly software: string;
  /** Null for a nameserver that does not report it yet. */
  readonly version: string;
  /** All transactions below this one are applied. It is the decimal text of an xid8. */
  readonly appliedBefore: string;
  /** Exact set of applied transactions. Undefined if there is none. */
  readonly horizon: Horizon | undefined;
  /**
   * Zones that it could not load, with the serial that it answers with. `*` stands for every zone that is not named.
   */
  readonly failedZones: Readonly<Record<string, number>>;
  /**
   * Zones that it answers with changes that the database lost, with their serials. `*` stands for every zone that is
   * not named.
   */
  readonly aheadZones: Readonly<Record<string, number>>;
  /**
   * Large zones that it is reading, with the serial that it answers with. `*` stands for every zone that is not named.
   */
  readonly lateZones: Readonly<Record<string, number>>;
  readonly zones: number;
  readonly imageOctets: number;
  readonly startedAt: Timestamp;
  readonly appliedAt: Timestamp;
  readonly heartbeatAt: Timestamp;
  /** Time since it last read changes, in milliseconds. */
  readonly readMsAgo: number;
  readonly heartbeatMsAgo: number;
}

/** Nameserver of this service. */
export interface NameserverStatus {
  /** Name in the list of servers, with a trailing dot. */
  readonly name: string;
  readonly ipv4: string | null;
  readonly ipv6: string | null;
  /** Undefined if no process with that name has ever reported. */
  readonly report: StatusReport | undefined;
}

/** Whether the nameserver has reported recently. */
export function isLive({ report }: NameserverStatus): boolean {
  return report !== undefined && report.heartbeatMsAgo < LIVE_MS;
}

/** Whether the nameserver answers with a change, or with a later one of the same zone. */
export function isApplied(
  { report }: NameserverStatus,
  { transaction, zone }: AwaitedChange,
): boolean {
  if (report?.horizon === undefined || !isWithin(report.horizon, transaction)) return false;
  if (zone === undefined) return true;
  if (isUnderWay(report, zone)) return false;
  const answeredSerial = report.failedZones[zone.name] ?? report.failedZones['*'];
  return answeredSerial === undefined || answeredSerial >= zone.serial;
}

/**
 * Whether the nameserver has read that the zone changed, and will answer with the change. It is reading a large zone,
 * or it waits for the next serial of a zone whose changes the database lost.
 */
function isUnderWay(
  { aheadZones, lateZones }: Pick<StatusReport, 'aheadZones' | 'lateZones'>,
  { name, serial }: NonNullable<AwaitedChange['zone']>,
): boolean {
  if (name in aheadZones || '*' in aheadZones) return true;
  const answered = lateZones[name] ?? lateZones['*'];
  return answered !== undefined && answered < serial;
}

/** Progress of a change. */
export interface PublicationCount {
  readonly isPublished: boolean;
  readonly applied: number;
  /** Number of live nameservers. The others do not delay the publication. */
  readonly live: number;
  readonly total: number;
}

export function countServers(
  servers: readonly NameserverStatus[],
  change: AwaitedChange,
): PublicationCount {
  return {
    isPublished: isPublished(servers, change),
    applied: servers.filter((server) => isApplied(server, change)).length,
    live: servers.filter(isLive).length,
    total: servers.length,
  };
}

/** Whether every live nameserver answers with the change. */
export function isSettled(servers: readonly NameserverStatus[], change: AwaitedChange): boolean {
  return servers.every((server) => !isLive(server) || isApplied(server, change));
}

/** Whether the change is settled and at least one nameserver answers with it. */
function isPublished(servers: readonly NameserverStatus[], change: AwaitedChange): boolean {
  return isSettled(servers, change) && servers.some((server) => isApplied(server, change));
}

/**
 * Status of a change. `ACTIVE`: every live nameserver answers with it, and at least one is live. `ERROR`: a nameserver
 * has read it and could not apply it. `PENDING`: all other cases.
 */
export type ObjectStatus = 'ACTIVE' | 'PENDING' | 'ERROR';

export function statusOfChange(
  servers: readonly NameserverStatus[],
  change: AwaitedChange,
): ObjectStatus {
  if (servers.some((server) => isLive(server) && hasFailed(server, change))) return 'ERROR';
  const isAnswered = servers.some((server) => isLive(server) && isApplied(server, change));
  return isAnswered && isSettled(servers, change) ? 'ACTIVE' : 'PENDING';
}

function hasFailed(server: NameserverStatus, change: AwaitedChange): boolean {
  const { report } = server;
  if (report?.horizon === undefined || !isWithin(report.horizon, change.transaction)) return false;
  const isExpected = change.zone !== undefined && isUnderWay(report, change.zone);
  return !isExpected && !isApplied(server, change);
}
